import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { latencyRows } from '../../measure/figure-rows.js';
import { STATISTICS } from '../../measure/histogram-columns.js';
import { metricRows } from '../../measure/user-metrics.js';
import { maskedJson } from '../formats/masked-json.js';
import { measured } from '../numbers.js';
import { pointAt } from '../percentiles.js';

/** @import { PercentileDistribution, Render, Result } from '../types.js' */

const PLOT_POINTS = 400;

/** @type {Render} */
export function render(result, { distributionOf = () => [] } = {}) {
  return pageOf(dataOf(result, distributionOf));
}

/**
 * The page of a result. Text of servers and flows is only data: the script inserts it as text, and the
 * Content-Security-Policy allows no other script, style, image or connection.
 *
 * @param {string} data {@link dataOf}
 * @param {{ isLive?: boolean }} [options] isLive: the page receives newer results from `events`, beside it
 */
export function pageOf(data, { isLive = false } = {}) {
  const require = createRequire(import.meta.url);
  const read = (/** @type {string | URL} */ path) => readFileSync(path, 'utf8');
  const here = (/** @type {string} */ name) => read(new URL(name, import.meta.url));
  const styles = [read(require.resolve('uplot/dist/uPlot.min.css')), here('page.css')];
  const scripts = [read(require.resolve('uplot/dist/uPlot.iife.min.js')), here('page.client.js')].map((script) =>
    script.replaceAll('</script', '<\\/script'),
  );
  const hashes = (/** @type {string[]} */ texts) =>
    texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  const policy = `default-src 'none'; style-src ${hashes(styles)}; script-src ${hashes(scripts)}${isLive ? "; connect-src 'self'" : ''}`;
  return `<!doctype html>
<html lang="en"${isLive ? ' data-live="yes"' : ''}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>bench-rest</title>
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
<header>
<h1>bench-rest<span id="verdict" class="verdict" role="status"></span></h1>
<p id="shape"></p>
<p id="about" class="quiet"></p>
<ul id="reasons"></ul>
</header>
<main>
<noscript><p>This page draws its charts with a script; the figures are in the JSON at the end of the file.</p></noscript>
<ul id="cards" class="cards"></ul>
${section('Thresholds', 'thresholds')}
<section><h2>Over time</h2><div class="charts">${['over-time', 'latency-over-time', 'percentiles', 'concurrency'].map(chart).join('')}</div></section>
${section('Latency', 'latency')}
${section('Operations', 'operations')}
${section('Metrics of hooks', 'metrics')}
${section('Errors', 'errors')}
${section('Status codes', 'statuses')}
${section('Slowest requests', 'slowest')}
${section('Client', 'client')}
<details><summary>Options</summary><pre id="options" class="scroll" tabindex="0"></pre></details>
</main>
<script type="application/json" id="result">${data}</script>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}

/**
 * The data of the page, as JSON that cannot end its script element.
 *
 * @param {Result & { isLive?: boolean }} result
 * @param {(which: 'main' | 'serviceTime') => PercentileDistribution} distributionOf
 * @returns {string}
 */
export function dataOf({ histograms: _counts, ...result }, distributionOf) {
  const data = {
    ...result,
    thresholds: (result.thresholds ?? []).map((threshold) => ({ ...threshold, measured: measured(threshold) })),
    percentiles: percentilesOf(distributionOf('main'), result.client.rate ? distributionOf('serviceTime') : null),
    latency: { columns: STATISTICS.map(({ key, label }) => ({ key, label })), rows: latencyRows(result) },
    metrics: metricRows(result),
  };
  return maskedJson(data).replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/**
 * Percentiles on the axis of HdrHistogram's plots: x is 1 / (1 - share), logarithmic, so that each nine takes the same space.
 *
 * @param {PercentileDistribution} response
 * @param {PercentileDistribution | null} service
 */
function percentilesOf(response, service) {
  const total = response.at(-1)?.upTo ?? 0;
  const highest = Math.log(Math.max(2, total));
  const inverse =
    total === 0 ? [] : Array.from({ length: PLOT_POINTS }, (_, i) => Math.exp((highest * i) / (PLOT_POINTS - 1)));
  const values = (/** @type {PercentileDistribution} */ points) =>
    inverse.map((one) => pointAt(points, 1 - 1 / one)?.ms ?? null);
  return { inverse, response: values(response), service: service && values(service) };
}

/** @type {(title: string, id: string) => string} */
function section(title, id) {
  return `<section hidden><h2>${title}</h2><div id="${id}"></div></section>`;
}

/** @type {(id: string) => string} */
function chart(id) {
  return `<figure id="${id}" hidden><figcaption></figcaption><div class="plot" role="img" aria-label=""></div></figure>`;
}
