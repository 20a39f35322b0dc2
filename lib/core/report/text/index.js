import { SECTIONS as WITH_BLOCKS, sectionsOf } from '../sections.js';
import { DEFAULT_WIDTH, glyphsOf, widthWithin, forLocale } from '../terminal.js';
import { blockLines } from './blocks.js';
import { histogramSection, percentilesSection, rateSection } from './charts.js';
import {
  usageSection,
  countsSection,
  errorsSection,
  filesSection,
  hasNoAnswer,
  headlineSection,
  outcomeSection,
  overviewSection,
} from './counts.js';
import { painter, timeScaleOf } from './layout.js';
import { figuresSection, latencySection, metricsSection, thresholdsSection } from './tables.js';

/** @import { Glyphs } from '../terminal.js' */
/** @import { OfferedSection, Render, RenderOptions, Result } from '../types.js' */
/** @import { Paint, TimeScale } from './layout.js' */

/**
 * @typedef {Required<RenderOptions> & { paint: Paint, glyphs: Glyphs, scale: TimeScale, room?: Room }} SectionOptions
 *
 * @typedef {object} Room what a section may print; without a number, as much as it has
 * @property {number} [bands] rows of the histogram
 * @property {number} [errorLines]
 * @property {boolean} [hasTable] false: the times in the headline suffice
 * @property {boolean} [hasRemarks] false: without waits of iterations, and without the sentence about ranges
 * @property {number} [goals] thresholds, of which those that passed are left out first
 */

/**
 * @typedef {(result: Result, options: SectionOptions) => string[]} Section lines; none if there is nothing to report
 *
 * @typedef {NonNullable<OfferedSection['text']> & { name: string, section: Section, isFlush?: boolean, suits?:
 *   (options: SectionOptions) => boolean }} SectionRow isFlush: not indented
 */

const INDENT = '  ';

/** @type {(options: SectionOptions) => boolean} */
const hasDistribution = ({ full, fullDistribution }) => full || fullDistribution;

/** @type {SectionRow[]} */
const OWN = [
  { name: 'headline', section: headlineSection, isFailure: true, isFlush: true },
  { name: 'counts', section: countsSection, suits: ({ full }) => !full, isFailure: true, isAttached: true },
  { name: 'overview', section: overviewSection, isFull: true },
  { name: 'figures', section: figuresSection },
  { name: 'latency', section: latencySection, isFull: true },
  { name: 'rate', section: rateSection, suits: hasDistribution },
  { name: 'metrics', section: metricsSection },
  { name: 'histogram', section: histogramSection },
  { name: 'distribution', section: percentilesSection, suits: hasDistribution },
  { name: 'errors', section: errorsSection, isFailure: true, isQuiet: true },
  { name: 'load', section: usageSection, isFull: true },
  { name: 'thresholds', section: thresholdsSection, isFailure: true, isQuiet: true },
  { name: 'outcome', section: outcomeSection },
  { name: 'files', section: filesSection, isFailure: true, isAttached: true },
];

/** The sections in their order. To add one, add a row. @type {SectionRow[]} */
const SECTIONS = sectionsOf('text', OWN, (blocksOf) => ({
  section: (result, options) =>
    blocksOf(result, { ...options, format: 'text' }).flatMap((block) => blockLines(block, options)),
}));

/** Renders the report for people, as a run prints it. @type {Render} */
export function render(result, { color = false, width = DEFAULT_WIDTH, unicode = true, ...more } = {}) {
  const glyphs = glyphsOf(unicode);
  /** @type {SectionOptions} */
  const options = {
    full: false,
    fullDistribution: false,
    quiet: false,
    files: [],
    distributionOf: () => [],
    ...more,
    color,
    width: widthWithin(width) - INDENT.length,
    unicode,
    paint: painter(color),
    glyphs,
    scale: timeScaleOf(result.main.completed, glyphs),
    room: {},
  };
  const sections = shownSections(result, options);
  let text = '';
  for (const room of isShort(result, options) ? ROOMS : [{}]) {
    text = textOf(sections, result, { ...options, room });
    if (text.split('\n').length - 1 <= MOST_LINES) break;
  }
  return forLocale(text, unicode);
}

/** Lines of a report of one operation, unless it is full. */
const MOST_LINES = 18;
/** What is left out first, if a report has more lines. @type {Room[]} */
const ROOMS = [
  {},
  { bands: 4 },
  { bands: 4, errorLines: 8 },
  { bands: 3, errorLines: 6 },
  { bands: 0, errorLines: 8 },
  { bands: 0, errorLines: 6 },
  { bands: 0, errorLines: 6, hasTable: false },
  { bands: 0, errorLines: 4, hasTable: false },
  { bands: 0, errorLines: 3, hasTable: false, goals: 4 },
  { bands: 0, errorLines: 2, hasTable: false, goals: 4, hasRemarks: false },
  { bands: 0, errorLines: 1, hasTable: false, goals: 1, hasRemarks: false },
];

/** @type {(result: Result, options: SectionOptions) => boolean} */
function isShort(result, { full, fullDistribution, quiet }) {
  if (full || fullDistribution || quiet || result.operations.length > 1) return false;
  return !WITH_BLOCKS.some(({ text, suits }) => text?.isLong && suits(result));
}

/** @type {(result: Result, options: SectionOptions) => SectionRow[]} */
function shownSections(result, options) {
  if (options.quiet) return SECTIONS.filter(({ isQuiet }) => isQuiet);
  // Nothing was measured: other sections could only repeat the errors, but a saturated load generator may explain them.
  if (hasNoAnswer(result) && !options.full)
    return SECTIONS.filter(
      ({ section, isFailure }) => isFailure || (section === outcomeSection && result.loadGenerator.saturated),
    );
  return SECTIONS;
}

/** @type {(rows: SectionRow[], result: Result, options: SectionOptions) => string} */
function textOf(rows, result, options) {
  let text = '';
  for (const { section, suits = () => true, isFull, isAttached, isFlush } of rows) {
    if (!suits(options) || (isFull && !options.full)) continue;
    // The texts of a section may have several lines each.
    const lines = section(result, options).join('\n').split('\n');
    if (lines.length === 1 && lines[0] === '') continue;
    const indent = isFlush ? '' : INDENT;
    const block = lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
    text += `${text === '' || isAttached ? '' : '\n'}${block}\n`;
  }
  return text;
}
