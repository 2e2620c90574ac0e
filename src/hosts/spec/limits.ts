/** The specification's limits in characters, which hosts share. */
export const MOST_NAME = 64;
export const MOST_DESCRIPTION = 1024;
