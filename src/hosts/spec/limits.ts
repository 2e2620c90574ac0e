/** What the specification allows, in characters; hosts take the same numbers. */
export const MOST_NAME = 64;
export const MOST_DESCRIPTION = 1024;
