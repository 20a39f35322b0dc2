import { POINT, RUN_HEAD, inOrderOfKeys } from '../../measure/document.js';
import { withoutCounts } from '../../measure/histogram.js';
import { maskText } from '../../text/mask.js';
import { escapeJson } from '../../text/safe.js';

/** A result, or a comparison, as one document. @type {(value: object) => string} */
export function render(value) {
  return `${maskedJson(documentOf(value), 2)}\n`;
}

/** The result as the last line of its samples, which were written during the run. @type {(result: object) => string} */
export function renderLine(result) {
  return `${maskedJson(documentOf(result))}\n`;
}

/** Returns the document, in which the most important keys of a result come first. @type {(value: object) => object} */
function documentOf(value) {
  return 'type' in value && value.type === RUN_HEAD.type ? inOrderOfKeys(value) : value;
}

/** The line of an interval. @type {(point: object) => string} */
export function pointLine(point) {
  return renderLine({ type: POINT, ...withoutCounts(point) });
}

/** JSON whose strings have no secrets and no control characters. @type {(value: object, indent?: number) => string} */
export function maskedJson(value, indent) {
  return escapeJson(JSON.stringify(value, (_key, item) => (typeof item === 'string' ? maskText(item) : item), indent));
}
