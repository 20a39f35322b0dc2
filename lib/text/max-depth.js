/** Nesting limit of JSON, YAML and flows. Recursive code, JSON.stringify and structuredClone stay within the stack at this depth. */
export const MAX_DEPTH = 500;
