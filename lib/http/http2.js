const VALUES = [true, false, 'only', 'prior-knowledge'];

/** The version of HTTP: a property of operations, and an option of runs. */
export const HTTP2 = {
  type: "boolean | 'only' | 'prior-knowledge'",
  schema: { enum: VALUES },
  check: (/** @type {any} */ v) => VALUES.includes(v),
  expected: "true, false, 'only' or 'prior-knowledge'",
};
