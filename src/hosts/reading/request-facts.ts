/** The names under which two facts from the requests of a CLI are kept: its own files with them are too large to keep. */
export const LISTING = "listing";
export const FAILURE = "failure";
