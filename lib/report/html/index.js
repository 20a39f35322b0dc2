import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { maskedJson } from '../formats/masked-json.js';
import { modelOf } from './model.js';

/** @import { Render } from '../types.js' */
/** @import { DistributionOf, PageResult } from './model.js' */

/** The modules of the page's script, each before those that import it. */
const MODULES = [
  '../numbers.js',
  'client/elements.js',
  'client/scales.js',
  'client/tables.js',
  'client/distribution.js',
  'client/operations.js',
  'client/time-charts.js',
  'client/percentiles.js',
  'client/sections.js',
  'client/page.js',
];

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
  const styles = [read(require.resolve('uplot/dist/uPlot.min.css')), read(new URL('page.css', import.meta.url))];
  const scripts = [read(require.resolve('uplot/dist/uPlot.iife.min.js')), clientScript()].map((script) =>
    script.replaceAll('</script', '<\\/script'),
  );
  const hashes = (/** @type {string[]} */ texts) =>
    texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  const policy = `default-src 'none'; img-src data:; style-src ${hashes(styles)}; script-src ${hashes(scripts)}${isLive ? "; connect-src 'self'" : ''}`;
  return `<!doctype html>
<html lang="en"${isLive ? ' data-live="yes"' : ''}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>bench-rest</title>
<link rel="icon" href="${ICON}">
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
<header>
<h1 id="title">bench-rest</h1>
<p id="subtitle" class="quiet"></p>
<p id="about" class="quiet small"></p>
</header>
<main>
<noscript><p>This page draws its charts with a script; the figures are in the JSON at the end of the file.</p></noscript>
<div id="outcome" class="outcome" role="status" hidden></div>
<div id="progress" class="progress" hidden></div>
<ul id="thresholds" class="thresholds" aria-label="Thresholds" hidden></ul>
<ul id="cards" class="cards" aria-label="Main figures"></ul>
${section('Errors', 'errors')}
${section('Latency over time', 'latency-over-time')}
<div class="columns">
${section('Distribution', 'distribution')}
${section('Rate and errors', 'rate')}
</div>
${section('Operations', 'operations')}
${section('Latency', 'latency')}
<div class="columns">
${section('Percentiles', 'percentiles')}
${section('Running iterations', 'running')}
${section('Event loop of the client', 'event-loop')}
${section('Status codes', 'statuses')}
</div>
${section('Metrics of hooks', 'metrics')}
${section('Report of the flow', 'report')}
${section('Slowest requests', 'slowest')}
${section('Measurement', 'measurement')}
<details><summary>Figures of each interval</summary><div id="intervals"></div></details>
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
 * @param {PageResult} result
 * @param {DistributionOf} distributionOf
 * @returns {string}
 */
export function dataOf(result, distributionOf) {
  return maskedJson(modelOf(result, distributionOf)).replace(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}

/** The modules of the script as one: a page in one file cannot import. */
export function clientScript() {
  const sources = MODULES.map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
      .replace(/^import [^;]*;\n/gm, '')
      .replace(/^export /gm, ''),
  );
  return `'use strict';\n(() => {\n${sources.join('\n')}\n})();\n`;
}

/** A bar chart in 16 x 16, as a data URL. */
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563eb" d="M1 15V9h4v6zm5 0V1h4v14zm5 0V5h4v10z"/></svg>')}`;

/** @type {(title: string, id: string) => string} */
function section(title, id) {
  return `<section hidden><h2>${title} <span class="quiet"></span></h2><div id="${id}"></div></section>`;
}
