import { placed } from '../../core/ground/addons.js';
import { SECTIONS } from '../../core/report/sections.js';
import { modelOf } from './model.js';
import { embeddedJson, readAssets, readProfileAssets, section, shellOf } from './shell.js';

/** @import { DistributionOf, Render, Result } from '../../core/report/types.js' */
/** @import { LiveState } from './model.js' */

const ASSETS = readAssets('client/page.js', { hasPlots: true });
const withProfileAssets = readProfileAssets();

/** @type {(name: string, heading: string) => { name: string, html: string }} */
const row = (name, heading) => ({ name, html: section(heading, name) });
/** @type {(rows: { html: string }[]) => string} */
const joined = (rows) => rows.map(({ html }) => html).join('\n');
/** Sections beside each other. @type {(...rows: ReturnType<typeof row>[]) => ReturnType<typeof row>} */
const columns = (...rows) => ({ name: rows[0].name, html: `<div class="columns">\n${joined(rows)}\n</div>` });

/** The sections of the page in their order; those of blocks come between them. */
const OWN = [
  row('errors', 'Errors'),
  row('by-load', 'Iterations per second by load, planned and measured'),
  row('profile', 'Profile of the service'),
  row('profile-changes', 'What changed in the service'),
  row('latency-over-time', 'Latency over time'),
  columns(row('distribution', 'Distribution'), row('rate', 'Rate and errors')),
  row('by-operation', 'p95 by operation, errors included, ms'),
  row('operations', 'Operations'),
  row('latency', 'Latency'),
  columns(
    row('percentiles', 'Percentiles'),
    row('running', 'Concurrency'),
    row('event-loop', 'Load generator'),
    row('statuses', 'Status codes'),
  ),
  row('server', 'Server'),
  columns(
    row('server-cpu', 'CPU of the server'),
    row('server-memory', 'Memory of the server'),
    row('server-event-loop', 'Event loop delay of the server'),
    row('server-gc', 'Event loop of the server'),
    row('server-files', 'Open files of the server'),
  ),
  columns(row('stream-times', 'First event and gaps over time'), row('stream-rate', 'Events per second')),
  row('metrics', 'Custom metrics'),
  row('slowest', 'Slowest requests'),
  row('validity', 'Validity'),
];
const PROFILE = new Set(['profile', 'profile-changes']);
const WITH_BLOCKS = SECTIONS.flatMap(({ name, page, load }) => {
  if (page === undefined) return [];
  // The package may be updated during the run, so nothing is loaded later.
  load();
  return [{ ...page, ...row(name, page.heading) }];
});

/** Most pages have no profile. @type {(isProfiled: boolean) => string} */
const bodyOf = (isProfiled) => `<div id="outcome" class="outcome" role="status" hidden></div>
<div id="progress" class="progress" hidden></div>
<ul id="thresholds" class="thresholds" aria-label="Thresholds" hidden></ul>
<ul id="cards" class="cards" aria-label="Main figures"></ul>
${joined(placed(OWN, WITH_BLOCKS).filter(({ name }) => isProfiled || !PROFILE.has(name)))}
<p id="downloads" class="exports" hidden></p>
<details><summary>Time series</summary><div id="intervals"></div></details>
<details><summary>Options</summary><pre id="options" class="scroll" tabindex="0"></pre></details>`;

/** The page of a result, in one file. @type {Render} */
export function render(result, { distributionOf = () => [] } = {}) {
  const isProfiled = result.profiles !== undefined || result.baseline?.profiles !== undefined;
  return pageOf(dataOf(result, distributionOf), { isProfiled });
}

/**
 * The page with its data, of a result in a file or of a dashboard.
 * @param {string} data {@link dataOf}
 * @param {{ isLive?: boolean, isProfiled?: boolean }} [options] isLive: the page receives newer results from `events`,
 *   beside it
 */
export function pageOf(data, { isLive = false, isProfiled = false } = {}) {
  const assets = withProfileAssets(ASSETS, isProfiled);
  return shellOf({ title: 'bench-rest', body: bodyOf(isProfiled), data, assets, isLive });
}

/**
 * Returns the data of the page as JSON. `live` is that of the page of a dashboard.
 * @type {(result: Result, distributionOf: DistributionOf, live?: LiveState) => string}
 */
export function dataOf(result, distributionOf, live) {
  return embeddedJson(modelOf(result, distributionOf, live));
}
