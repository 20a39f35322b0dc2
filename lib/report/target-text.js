/**
 * Where requests go, as part of a sentence about the load.
 *
 * @param {{ origins: string[], proxies?: string[] }} run
 * @returns {string} ` against http://a, http://b through the proxy http://p`; empty if nothing is known
 */
export function targetText({ origins, proxies = [] }) {
  const target = origins.length > 0 ? ` against ${origins.join(', ')}` : '';
  return proxies.length > 0 ? `${target} through the proxy ${proxies.join(', ')}` : target;
}
