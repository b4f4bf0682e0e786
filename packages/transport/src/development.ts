/** Whether this is a development build, as in `@nearfield/schema`: a production build leaves out the sentences of errors that programmers make. */

export const IS_DEVELOPMENT: boolean = true;
