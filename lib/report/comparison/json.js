import { maskedJson } from '../formats/json.js';

/** @type {import('./formats.js').RenderComparison} */
export function render(comparison) {
  return `${maskedJson(comparison, 2)}\n`;
}
