/** What the command does where nobody says: below the flow's options and the configuration file. */
export const DEFAULTS = { limit: 10, progress: 1000, keepGoing: false };
