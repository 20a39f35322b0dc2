import { formatValue } from '../text/format-value.js';

/**
 * Says that a relative URL drops a part of the path of the base URL, which other tools keep: a path that begins with /
 * replaces it, and any other its last segment (RFC 3986 5.2). `./` and `../` are deliberate.
 *
 * @param {string} given the relative URL as the user wrote it
 * @param {URL} url what it was resolved to
 * @param {URL} base
 * @returns {string | null} null if the path of the base URL is kept
 */
export function droppedPath(given, url, base) {
  const kept = base.pathname.replace(/\/+$/, '');
  if (kept === '' || /^[.?#]/.test(given) || `${url.pathname}/`.startsWith(`${kept}/`)) return null;
  const own = given.replace(/^\/+/, '');
  const sent = given.startsWith('/') ? given : base.pathname.replace(/[^/]*$/, given);
  return (
    `${formatValue(given)} is sent to ${base.origin}${sent}, without the path of the base URL ` +
    `${base.origin}${base.pathname}; for ${base.origin}${kept}/${own} write ${formatValue(own)} and the base URL ` +
    `${base.origin}${kept}/`
  );
}
