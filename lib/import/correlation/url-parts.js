/**
 * A part of a text that is a URL, or its path, with the pattern that finds it in this text.
 *
 * @typedef {object} UrlPart
 * @property {string} name of the parameter; of a segment, the segment before it
 * @property {string} value
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
    return [{ name, value: segment, pattern: `${escaped(name)}/([^/?#]+)${end}`, isPathPart: true }];
  });
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name, value = ''] = pair.split('=');
    const pattern = `[?&]${escaped(name)}=([^&#]+)`;
    if (value !== '') parts.push({ name: decoded(name), value, pattern, isPathPart: false });
  }
  // A part that is percent-encoded would be encoded twice: captures do not decode it.
  return parts.filter(({ value, pattern }) => wants(value) && new RegExp(pattern).exec(text)?.[1] === value);
}

/** @type {(text: string) => string} */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Escapes a text for a regular expression. @type {(text: string) => string} */
export function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
