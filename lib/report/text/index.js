import { clientSection } from './client-section.js';
import { distributionSection } from './distribution-section.js';
import { errorsSection } from './errors.js';
import { latencySection } from './latency-section.js';
import { painter } from './layout.js';
import { metricsSection } from './metrics-section.js';
import { operationsSection } from './operations-section.js';
import { overviewSection } from './overview-section.js';
import { rateSection } from './rate-section.js';
import { reportSection } from './report-section.js';
import { thresholdsSection } from './thresholds-section.js';
import { verdictSection } from './verdict.js';

/**
 * @import { RenderOptions, Render, Result } from '../types.js'
 * @import { Paint } from './layout.js'
 *
 * @typedef {(result: Result, options: Required<RenderOptions> & { paint: Paint }) => string[]} Section lines; none if there is
 *   nothing to report
 */

const MIN_WIDTH = 40;
const MAX_WIDTH = 120;

/** The sections in their order. @type {Section[]} */
const SECTIONS = [
  overviewSection,
  errorsSection,
  latencySection,
  rateSection,
  operationsSection,
  metricsSection,
  distributionSection,
  clientSection,
  reportSection,
  thresholdsSection,
  verdictSection,
];
/** The sections of a quiet run. @type {Section[]} */
const QUIET = [errorsSection, reportSection, thresholdsSection];

/** @type {Render} */
export function render(
  result,
  { colour = false, width = 100, fullDistribution = false, quiet = false, distributionOf = () => [] } = {},
) {
  const options = {
    colour,
    width: Math.max(MIN_WIDTH, Math.min(width, MAX_WIDTH)),
    fullDistribution,
    quiet,
    distributionOf,
    paint: painter(colour),
  };
  const parts = (quiet ? QUIET : SECTIONS)
    .map((section) => section(result, options))
    .filter((lines) => lines.length > 0);
  return parts.length > 0 ? `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n` : '';
}
