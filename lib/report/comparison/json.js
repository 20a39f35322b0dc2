import { maskedJson } from '../formats/masked-json.js';

/** @type {import('./types.js').RenderComparison} */
export function render(comparison) {
  return `${maskedJson(comparison, 2)}\n`;
}
