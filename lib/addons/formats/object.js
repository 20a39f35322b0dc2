import { inspect } from 'node:util';

import { trustOf } from '../../core/report/outcome.js';
import { readable } from '../../core/report/supported.js';
import { DEFAULT_WIDTH, glyphsOf } from '../../core/report/terminal.js';
import { errorsSection } from '../../core/report/text/counts.js';
import { painter, timeScaleOf } from '../../core/report/text/layout.js';
import { operationsTable } from '../../core/report/text/tables.js';

/** @import { SectionOptions } from '../../core/report/text/index.js' */
/** @import { Render, Result } from '../../core/report/types.js' */

/** Prints errors as text, then the figures as an object, as bench-rest 1 did. @type {Render} */
export function render(stats, { color = false, width = DEFAULT_WIDTH, unicode = true } = {}) {
  // These are printed above as text, or are useful to programs only.
  const {
    errors,
    operations: _operations,
    validity: _validity,
    series: _series,
    exemplars: _exemplars,
    $schema: _schema,
    type: _type,
    schemaVersion: _version,
    run: _run,
    outcome: _outcome,
    id: _id,
    tool: _tool,
    loadGenerators: _machines,
    totalElapsed,
    metrics,
    ...rest
  } = stats;
  const { details: _listed, ...counts } = errors;
  const object = inspect(rounded({ totalElapsed, ...metrics, ...rest, errors: counts }), {
    depth: null,
    colors: color,
    breakLength: 80,
  });
  const glyphs = glyphsOf(unicode);
  const layout = { width, paint: painter(color), glyphs, scale: timeScaleOf(stats.main.completed, glyphs) };
  const operations = operationsTable(readable(stats), layout).map((line) => `${line}\n`);
  const trust = trustOf(stats);
  const trustLine = trust === null ? '' : `${trust}\n`;
  return `${errorsText(stats)}${trustLine}${operations.join('')}stats: ${object}\n`;
}

/** The errors, their number first. @type {(result: Result) => string} */
function errorsText(result) {
  const options = { full: true, width: DEFAULT_WIDTH, paint: painter(false), glyphs: glyphsOf(false) };
  const lines = errorsSection(result, /** @type {SectionOptions} */ (options))
    .join('\n')
    .split('\n');
  return `errors: ${result.errors.count}\n${lines.map((line) => (line === '' ? '' : `  ${line}\n`)).join('')}`;
}

/** A copy with times rounded to microseconds, and null for empty histograms. @type {(value: any) => any} */
function rounded(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.round(value * 1000) / 1000;
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  if (value.count === 0 && value.median === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}
