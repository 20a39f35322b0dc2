/** @import { LostDigits } from './types.js' */

/** Collects the numbers of a text that lose digits when they are read. */
export class DigitWatch {
  /** @type {LostDigits | undefined} */
  lost;

  /** @type {(written: string, offset: number) => void} */
  see(written, offset) {
    if (!losesDigits(written)) return;
    if (this.lost) this.lost.more++;
    else this.lost = { offset, written, more: 0 };
  }
}

/** Fewer characters without an exponent are exact to their last digit. */
const FEWEST = 16;

/** Reports whether a number of JSON or YAML is read with other digits. @type {(written: string) => boolean} */
export function losesDigits(written) {
  if (/^0[xo]/.test(written)) return BigInt(written) !== BigInt(Number(written));
  if (written.length < FEWEST && !/e/i.test(written)) return false;
  return digitsOf(written) !== digitsOf(String(Number(written)));
}

/** Without zeros around its digits: `1200.0` and `1.2e3` are `12e2`. @type {(number: string) => string} */
function digitsOf(number) {
  const [, whole = '', fraction = '', exponent = '0'] = /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole + fraction === '' ? number : '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Explains lost digits of a text. @type {(place: string, lost: LostDigits) => string} */
export function lostDigitsText(place, { written, more }) {
  const others = more > 0 ? `, and ${more} more` : '';
  return `${place}: ${written} is read as ${Number(written)}${others}: numbers have 15 to 17 digits; write it in quotes, or the whole body as text`;
}
