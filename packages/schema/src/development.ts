/**
 * Whether this is a development build. Bundlers that set the export condition `production` (vite and webpack do, for the pages that they build) take
 * `development.off.ts` instead. A production build leaves out the sentences of errors, and the checks of what stands in the source: descriptions and the names of
 * options. Node and tests set no such condition, so servers always have all of it. Why so: docs/decisions/0026-the-pages-script.md.
 */

export const IS_DEVELOPMENT: boolean = true;
