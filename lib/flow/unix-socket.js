/**
 * A URL that leads to a unix socket, `unix:/run/app.sock:/items?x=1`, also written `http://unix:/run/app.sock:/items`.
 *
 * @param {string} url
 * @returns {{ socketPath: string, url: string } | null} the URL as the server sees it; null for any other
 */
export function splitUnixSocket(url) {
  const match = /^(?:(https?):\/\/)?unix:(\/[^:]+)(?::(\/.*)?)?$/i.exec(url);
  if (!match) return null;
  const [, scheme = 'http', socketPath, path = '/'] = match;
  return { socketPath, url: `${scheme.toLowerCase()}://localhost${path}` };
}
