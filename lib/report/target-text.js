import { listOf, shortened } from '../text/format-value.js';

/** origins or proxies, and characters of each: a result of others may have any */
const MOST = 5;
const LONGEST = 200;

/**
 * Where requests go, as part of a sentence about the load.
 *
 * @param {{ origins: string[], proxies?: string[] }} run
 * @returns {string} ` against http://a, http://b through the proxy http://p`; empty if nothing is known
 */
export function targetText({ origins, proxies = [] }) {
  const target = origins.length > 0 ? ` against ${someOf(origins)}` : '';
  return proxies.length > 0 ? `${target} through the proxy ${someOf(proxies)}` : target;
}

/** @type {(names: string[]) => string} */
function someOf(names) {
  return listOf(
    names.slice(0, MOST).map((name) => shortened(name, LONGEST)),
    MOST,
    names.length,
  );
}
