/** Equal to the version in package.json, as a test verifies. */
export const VERSION = "0.2.0";
