/** The smallest terminal that has the screen, and the shortest run: a shorter one ends before anybody reads it. */
export const SCREEN = { columns: 100, rows: 30, ms: 5000 };
