import { escapeJson } from './escape.js';
import { maskText } from '../mask.js';

/** JSON without secrets in its texts, and without characters that a terminal would obey. @type {(value: object, indent?: number) => string} */
export function maskedJson(value, indent) {
  return escapeJson(JSON.stringify(value, (_key, item) => (typeof item === 'string' ? maskText(item) : item), indent));
}
