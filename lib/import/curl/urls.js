/** @import { CurlRequest } from './flags.js' */

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;
/** URLs that one word may become. */
const MOST = 20;

/**
 * Lists the URLs of a request: without a scheme they are http:, ranges and lists such as `[1-3]` and `{a,b}` are
 * expanded as curl does it, and fragments are dropped.
 * @type {(request: Pick<CurlRequest, 'urls' | 'set'>, skip: (what: string, why: string) => void) => string[]}
 */
export function urlsOf({ urls, set }, skip) {
  return urls.flatMap((given) => {
    const expanded = set.has('globoff') ? [given] : expand(given);
    if (expanded === null) {
      skip(given, `its pattern stands for more than ${MOST} URLs: write the ones to measure`);
      return [];
    }
    return expanded.flatMap((url) => {
      const whole = SCHEME.test(url) || url.startsWith('\ufdd0') ? url : `http://${url}`;
      const [, scheme = 'http'] = SCHEME.exec(whole) ?? [];
      if (/^https?$/i.test(scheme)) return [encoded(whole.replace(/#.*$/s, ''))];
      skip(url, `${scheme}: is not HTTP`);
      return [];
    });
  });
}

/** Spaces, which curl refuses, and characters beyond ASCII are encoded. @type {(url: string) => string} */
function encoded(url) {
  const sent = url.replace(/[ \u0080-\ufdcf\ufdf0-\uffff]/g, (char, at) =>
    /[\ud800-\udfff]/.test(char) ? encodedPair(url, at) : encodeURIComponent(char),
  );
  return /^[^:]+:\/\/[^/?]*$/.test(sent) ? `${sent}/` : sent;
}

/** @type {(url: string, at: number) => string} */
function encodedPair(url, at) {
  const isHigh = /[\ud800-\udbff]/.test(url[at]);
  const pair = isHigh ? url.slice(at, at + 2) : '';
  return pair === '' ? '' : encodeURIComponent(Buffer.from(pair).toString());
}

/** @type {(url: string) => string[] | null} */
function expand(url) {
  const found = /\{([^{}]*)\}|\[(\d+)-(\d+)(?::(\d+))?\]|\[([a-z])-([a-z])(?::(\d+))?\]/i.exec(url);
  // The address of IPv6 is none, and neither is an escaped brace.
  if (!found || url[found.index - 1] === '\\') return [url.replace(/\\([[\]{}])/g, '$1')];
  const [whole, list, from, to, step, first, last, letters] = found;
  const items =
    list !== undefined
      ? list.split(',')
      : from !== undefined
        ? numbers(from, to, Number(step ?? 1))
        : characters(first, last, Number(letters ?? 1));
  if (items.length > MOST) return null;
  const all = items.flatMap(
    (item) => expand(url.slice(0, found.index) + item + url.slice(found.index + whole.length)) ?? [null],
  );
  return all.length > MOST || all.includes(null) ? null : /** @type {string[]} */ (all);
}

/** Numbers keep the zeros in front of them. @type {(from: string, to: string, step: number) => string[]} */
function numbers(from, to, step) {
  const items = [];
  for (let i = Number(from); i <= Number(to) && items.length <= MOST; i += Math.max(1, step))
    items.push(String(i).padStart(/^0/.test(from) ? from.length : 0, '0'));
  return items;
}

/** @type {(from: string, to: string, step: number) => string[]} */
function characters(from, to, step) {
  const items = [];
  for (let i = from.charCodeAt(0); i <= to.charCodeAt(0) && items.length <= MOST; i += Math.max(1, step))
    items.push(String.fromCharCode(i));
  return items;
}
