import { withSupportedPercentiles } from '../../core/report/supported.js';
import { modelOf } from './model.js';
import { embeddedJson, readAssets, readProfileAssets, section, shellOf } from './shell.js';

/** @import { DistributionOf, Render, Result } from '../../core/report/types.js' */
/** @import { LiveState } from './model.js' */

const ASSETS = readAssets('client/page.js', { hasPlots: true });
const PROFILE = readProfileAssets();

/** @type {(isProfiled: boolean) => string} */
const bodyOf = (isProfiled) => `<div id="outcome" class="outcome" role="status" hidden></div>
<div id="progress" class="progress" hidden></div>
<ul id="thresholds" class="thresholds" aria-label="Thresholds" hidden></ul>
<ul id="cards" class="cards" aria-label="Main figures"></ul>
${section('Errors', 'errors')}
${section('Checks', 'checks')}
${section('Machines', 'agents')}
${section('Loads', 'load-table')}
${section('Iterations per second by load, planned and measured', 'by-load')}
${section('Addresses', 'addresses')}
${section('HTTP/2', 'http2')}
${PROFILE.sections(isProfiled)}${section('Latency over time', 'latency-over-time')}
<div class="columns">
${section('Distribution', 'distribution')}
${section('Rate and errors', 'rate')}
</div>
${section('p95 by operation, errors included, ms', 'by-operation')}
${section('Operations', 'operations')}
${section('Latency', 'latency')}
${section('Changes', 'baseline')}
<div class="columns">
${section('Percentiles', 'percentiles')}
${section('Concurrency', 'running')}
${section('Load generator', 'event-loop')}
${section('Status codes', 'statuses')}
</div>
${section('Server', 'server')}
<div class="columns">
${section('CPU of the server', 'server-cpu')}
${section('Memory of the server', 'server-memory')}
${section('Event loop delay of the server', 'server-event-loop')}
${section('Event loop of the server', 'server-gc')}
${section('Open files of the server', 'server-files')}
</div>
${section('Streams', 'streams')}
<div class="columns">
${section('First event and gaps over time', 'stream-times')}
${section('Events per second', 'stream-rate')}
</div>
${section('Custom metrics', 'metrics')}
${section('Section', 'section')}
${section('Slowest requests', 'slowest')}
${section('Validity', 'validity')}
${section('Log of requests', 'log')}
<p id="exports" class="exports" hidden></p>
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
  const assets = PROFILE.of(ASSETS, isProfiled);
  return shellOf({ title: 'bench-rest', body: bodyOf(isProfiled), data, assets, isLive });
}

/**
 * Returns the data of the page as JSON. `live` is that of the page of a dashboard.
 * @type {(result: Result, distributionOf: DistributionOf, live?: LiveState) => string}
 */
export function dataOf(result, distributionOf, live) {
  return embeddedJson(modelOf(withSupportedPercentiles(result), distributionOf, live));
}
