/** @type {Record<string, string>} */
const ESCAPES = { a: '\u0007', b: '\b', e: '\u001b', E: '\u001b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPE =
  /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

/** Replaces escapes of `$'…'` and `printf`; \x and octal ones are UTF-8 bytes. @type {(text: string) => Buffer} */
export function unescaped(text) {
  /** @type {Buffer[]} */
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, high, low, hex, short, long, octal, control, char] = match;
    parts.push(Buffer.from(text.slice(from, match.index)));
    from = match.index + whole.length;
    if (high !== undefined) parts.push(Buffer.from(String.fromCharCode(parseInt(high, 16), parseInt(low, 16))));
    else if (hex !== undefined) parts.push(Buffer.from([parseInt(hex, 16)]));
    else if (octal !== undefined) parts.push(Buffer.from([parseInt(octal, 8) & 0xff]));
    else if (control !== undefined) parts.push(Buffer.from([control.charCodeAt(0) & 0x1f]));
    else if (char !== undefined) parts.push(Buffer.from(ESCAPES[char] ?? (/['"\\?]/.test(char) ? char : whole)));
    else {
      const point = parseInt(short ?? long, 16);
      parts.push(Buffer.from(point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'));
    }
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}
