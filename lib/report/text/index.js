import { errorsText } from '../errors-text.js';
import { painter, wrapped } from '../layout.js';
import { clientSection } from './client-section.js';
import { distributionSection } from './distribution-section.js';
import { latencySection } from './latency-section.js';
import { operationsSection } from './operations-section.js';
import { overviewSection } from './overview-section.js';
import { rateSection } from './rate-section.js';
import { thresholdsSection } from './thresholds-section.js';
import { verdictSection } from './verdict-section.js';

/**
 * @import { Look, Reporter, Result } from '../types.js'
 *
 * @typedef {(result: Result, look: Required<Look> & { paint: import('../layout.js').Paint }) => string[]} Section lines; none where there
 *   is nothing to say
 */

/** @type {Section} */
const errorsSection = (result, { width }) =>
  result.errors.count === 0
    ? []
    : errorsText(result)
        .trimEnd()
        .split('\n')
        .map((line) => {
          const indent = line.search(/\S/);
          return `${' '.repeat(indent)}${wrapped(line.trimStart(), indent, width)}`;
        });

/** In the order in which they are read. @type {Section[]} */
const SECTIONS = [
  overviewSection,
  errorsSection,
  latencySection,
  rateSection,
  operationsSection,
  distributionSection,
  clientSection,
  thresholdsSection,
  verdictSection,
];
/** What matters where nothing was to be said. @type {Section[]} */
const QUIET = [errorsSection, thresholdsSection];

/** @type {Reporter} */
export default {
  name: 'text',
  about: 'a report to read',
  extension: '.txt',

  render(result, { colour = false, width = 100, spectrum = false, quiet = false, spectrumOf = () => [] } = {}) {
    const look = {
      colour,
      width: Math.max(40, Math.min(width, 120)),
      spectrum,
      quiet,
      spectrumOf,
      paint: painter(colour),
    };
    const parts = (quiet ? QUIET : SECTIONS)
      .map((section) => section(result, look))
      .filter((lines) => lines.length > 0);
    return parts.length > 0 ? `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n` : '';
  },
};
