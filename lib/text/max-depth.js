/** Nesting limit of JSON, YAML and flows. Recursive code stays within the stack, and stringify and clone do as well. */
export const MAX_DEPTH = 500;
