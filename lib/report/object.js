import { inspect } from 'node:util';

import { errorsText } from './errors-text.js';
import { escapeText } from './escape.js';
import { maskText } from '../mask.js';
import { operationsText } from './operations-text.js';
import { verdictText } from './verdict-text.js';

/** @import { Reporter } from './types.js' */

/** @type {Reporter} */
export default {
  name: 'object',
  about: 'errors and stats as objects, as bench-rest 1 printed them',
  extension: '.txt',

  render(stats, { colour = false } = {}) {
    // shown by themselves, above; a point a second and examples are for programs
    const {
      errors,
      operations,
      verdict,
      series: _series,
      exemplars: _exemplars,
      histograms: _histograms,
      schema: _schema,
      run: _run,
      exit: _exit,
      ...rest
    } = stats;
    const { samples: _listed, ...counts } = errors;
    const shown = inspect(rounded({ ...rest, errors: counts }), { depth: null, colors: colour, breakLength: 80 });
    return `${errorsText(stats)}${verdictText(verdict)}${operationsText(operations)}stats: ${shown}\n`;
  },
};

/** A copy with times to the microsecond, and null for a histogram without data. @type {(value: any) => any} */
function rounded(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.round(value * 1000) / 1000;
  if (typeof value === 'string') return escapeText(maskText(value));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  if (value.count === 0 && value.median === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeText(key), rounded(item)]));
}
