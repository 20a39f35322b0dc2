/** The version of HTTP: a property of operations, and an option of runs. */
export const HTTP2 = {
  type: "boolean | 'only' | 'prior-knowledge'",
  schema: { enum: [true, false, 'only', 'prior-knowledge'] },
  check: (/** @type {any} */ v) => typeof v === 'boolean' || v === 'only' || v === 'prior-knowledge',
  expected: "true, false, 'only' or 'prior-knowledge'",
};
