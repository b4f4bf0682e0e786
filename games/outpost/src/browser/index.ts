/** The page's part. */

export {};
