/** The command line itself is wrong: told in one line, and exit code 2. */
export class UsageError extends Error {}
