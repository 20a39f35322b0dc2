import { maskText } from '../../text/mask.js';

export const LF = 0x0a;
export const CR = 0x0d;
export const SP = 0x20;

/** 1 for the characters of a token, such as a field name (RFC 9110 5.6.2). */
export const TOKEN = table((octet) => /[!#$%&'*+.^_`|~\w-]/.test(String.fromCharCode(octet)) && octet < 0x80);

/** 1 for the characters of a field value: tab, visible characters, bytes beyond ASCII (RFC 9110 5.5). */
export const FIELD_TEXT = table((octet) => octet === 0x09 || (octet >= 0x20 && octet !== 0x7f));

/** @type {(belongs: (octet: number) => boolean) => Uint8Array} */
function table(belongs) {
  return Uint8Array.from({ length: 256 }, (_, octet) => (belongs(octet) ? 1 : 0));
}

/** Ignores case; the lengths are the same. @type {(bytes: Buffer, start: number, name: string) => boolean} */
export function hasName(bytes, start, name) {
  for (let i = 0; i < name.length; i++) {
    // 0x20 is the bit between upper and lower case; a hyphen has it anyway
    if ((bytes[start + i] | 0x20) !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** Returns the value of a hexadecimal digit, 0 to 15; -1 if it is none. @type {(octet: number) => number} */
export function hexValue(octet) {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const lower = octet | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** @type {(bytes: Buffer, start: number, end: number) => string} */
export function latin1(bytes, start, end) {
  return bytes.toString('latin1', start, end);
}

/** Returns the value of a digit, 0 to 9; NaN if it is none. @type {(octet: number) => number} */
export function digit(octet) {
  return octet >= 0x30 && octet <= 0x39 ? octet - 0x30 : NaN;
}

/** Characters of a line that a message shows; secrets are found in more of it, as their end tells what they are. */
const SHOWN = 40;
const READ = 4096;

/** @type {(line: Buffer, start: number, end: number, mask?: (text: string) => string) => string} */
export function printable(line, start, end, mask = maskText) {
  return mask(latin1(line, start, Math.min(end, start + READ)))
    .slice(0, SHOWN)
    .replace(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
