/**
 * The base URL of a flow that means the same as one of a foreign document, where paths are added to the base URL. In a
 * flow this needs a `/` at its end and paths without a `/` at their beginning (RFC 3986 5.2).
 *
 * @param {unknown} given of the document
 * @returns {{ baseUrl: string, hasPath: boolean } | null} null if it is not an http: or https: URL
 */
export function baseUrlOf(given) {
  if (typeof given !== 'string' || !/^https?:\/\/[^/]/i.test(given)) return null;
  const hasPath = /^https?:\/\/[^/]+\/[^/]/i.test(given);
  return { baseUrl: hasPath && !given.endsWith('/') ? `${given}/` : given, hasPath };
}
