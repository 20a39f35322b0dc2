import { createHash } from 'node:crypto';

import { shortened } from '../../core/text/format-value.js';

/** Characters of a text: a result may come from someone else. */
const LONGEST = 200;
const HASH_LENGTH = 8;

/** Cuts a text in such a way that others stay others. @type {(text: string) => string} */
export function distinct(text) {
  return text.length > LONGEST ? withHash(text, text) : text;
}

/** A text with a part of the hash of what it stands for. @type {(text: string, value: string) => string} */
export function withHash(text, value) {
  return `${shortened(text, LONGEST - HASH_LENGTH - 3)} #${createHash('sha256').update(value).digest('hex').slice(0, HASH_LENGTH)}`;
}
