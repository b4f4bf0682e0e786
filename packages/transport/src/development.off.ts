/** What a production build has in place of `development.ts`. */

export const IS_DEVELOPMENT: boolean = false;
