/** Named references that attributes of pages have; all others are numbers. */
const REFERENCES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }));
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi;
const LAST_CODE_POINT = 0x10ffff;

/** Decodes `&amp;`, `&quot;` and `&#x2B;`; an unknown reference is left. @type {(text: string) => string} */
export function decodeReferences(text) {
  return text.replace(REFERENCE, (whole, decimal, hex, name) => {
    if (name !== undefined) return REFERENCES.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

/** Decodes `%3D`; a malformed text is left. @type {(text: string) => string} */
export function decodePercent(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes a part of a URL; a lone surrogate becomes U+FFFD, as in UTF-8. @type {(text: string) => string} */
export function encodePercent(text) {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Encodes all but the unreserved characters (RFC 3986 2.3). @type {(text: string) => string} */
export function encodeReserved(text) {
  return encodePercent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** How texts of responses are encoded, and what decodes them. */
export const DECODERS = { percent: decodePercent, html: decodeReferences };
