import { decodePercent } from '../../text/decode.js';

/**
 * A part of a text that is a URL, or its path, with the pattern that finds it in this text.
 *
 * @typedef {object} UrlPart
 * @property {string} name of the parameter; of a segment, the segment before it
 * @property {string} value decoded
 * @property {string} raw as it is in the text
 * @property {'percent'} [decode] how it is encoded there
 * @property {string} pattern a regular expression whose group is the value
 * @property {boolean} isPathPart
 */

/**
 * Lists the wanted parts of a URL, or of its path.
 * @type {(text: string, wants: (value: string) => boolean) => UrlPart[]}
 */
export function partsOfUrl(text, wants) {
  const [, , path, query = ''] = /^([a-z]+:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(text) ?? ['', '', '', ''];
  const segments = path.split('/');
  const parts = segments.flatMap((segment, i) => {
    const name = segments[i - 1] ?? '';
    if (i === 0 || segment === '') return [];
    const end = name === '' && i === segments.length - 1 && query === '' ? '$' : '';
    return [{ name, raw: segment, pattern: `${escaped(name)}/([^/?#]+)${end}`, isPathPart: true }];
  });
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name, raw = ''] = pair.split('=');
    const pattern = `[?&]${escaped(name)}=([^&#]+)`;
    if (raw !== '') parts.push({ name: decodePercent(name), raw, pattern, isPathPart: false });
  }
  return parts.flatMap((part) => {
    const value = decodePercent(part.raw);
    if (!wants(value) || new RegExp(part.pattern).exec(text)?.[1] !== part.raw) return [];
    return [{ ...part, value, ...(value !== part.raw && { decode: /** @type {const} */ ('percent') }) }];
  });
}

/** Escapes a text for a regular expression. @type {(text: string) => string} */
export function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
