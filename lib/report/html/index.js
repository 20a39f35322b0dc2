import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { maskedJson } from '../masked-json.js';

/** @import { Reporter, Result, Spectrum } from '../types.js' */

const MOST_POINTS = 400;

/** @type {Reporter} */
export default {
  name: 'html',
  about: 'one page with charts, which needs no network',
  extension: '.html',
  render: (result, { spectrumOf = () => [] } = {}) => pageOf(dataOf(result, spectrumOf)),
};

/**
 * The page. What a server or a flow said stands in it as data alone: the script sets it as text, and no other script,
 * style, picture or connection is allowed (Content-Security-Policy).
 *
 * @param {string} data {@link dataOf}
 * @param {{ isLive?: boolean }} [options] isLive: newer results come from `events`, beside the page
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
<noscript><p>This page draws its charts with a script; the figures are in the JSON at its end.</p></noscript>
<ul id="cards" class="cards"></ul>
${section('Thresholds', 'thresholds')}
<section><h2>Over time</h2><div class="charts">${['over-time', 'latency-over-time', 'spectrum', 'concurrency'].map(chart).join('')}</div></section>
${section('Latency', 'latency')}
${section('Operations', 'operations')}
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

/** What the page shows of a result, as JSON that cannot end its script element. @type {(result: Result & { isLive?: boolean }, spectrumOf: (which: 'main' | 'serviceTime') => Spectrum) => string} */
export function dataOf({ histograms: _counts, ...result }, spectrumOf) {
  const data = {
    ...result,
    spectra: spectraOf(spectrumOf('main'), result.client.rate ? spectrumOf('serviceTime') : null),
  };
  return maskedJson(data).replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/**
 * Percentiles on the axis of HdrHistogram's plots: x is 1 / (1 - share), logarithmic, so that each nine takes the same room.
 *
 * @param {Spectrum} response
 * @param {Spectrum | null} service
 */
function spectraOf(response, service) {
  const total = response.at(-1)?.upTo ?? 0;
  const most = Math.log(Math.max(2, total));
  const inverse =
    total === 0 ? [] : Array.from({ length: MOST_POINTS }, (_, i) => Math.exp((most * i) / (MOST_POINTS - 1)));
  return {
    inverse,
    response: inverse.map((one) => valueAt(response, one)),
    service: service && inverse.map((one) => valueAt(service, one)),
  };
}

/** @type {(spectrum: Spectrum, inverse: number) => number | null} */
function valueAt(spectrum, inverse) {
  const rank = (1 - 1 / inverse) * (spectrum.at(-1)?.upTo ?? 0);
  return spectrum.find(({ upTo }) => upTo >= rank)?.ms ?? null;
}

/** @type {(title: string, id: string) => string} */
function section(title, id) {
  return `<section hidden><h2>${title}</h2><div id="${id}"></div></section>`;
}

/** @type {(id: string) => string} */
function chart(id) {
  return `<figure id="${id}" hidden><figcaption></figcaption><div class="plot" role="img" aria-label=""></div></figure>`;
}
