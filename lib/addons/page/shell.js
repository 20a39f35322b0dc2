import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { maskedJson } from '../../core/report/formats/json.js';
import { colorProperties } from '../palette/index.js';
import { scriptOf } from './page-script.js';

/**
 * @typedef {object} Shell
 * @property {string} title
 * @property {string} body HTML of our own; data are inserted by the script
 * @property {string} data JSON that cannot end its script element, {@link embeddedJson}
 * @property {Assets} assets
 * @property {boolean} [isLive] the page receives newer data from `events`, beside it
 */

/** @typedef {{ styles: string[], scripts: string[] }} Assets what pages of one kind have in common */

/**
 * A page in one file. Text of servers and flows is only data: the script inserts it as text, and the
 * Content-Security-Policy allows no other script, style, image or connection.
 * @type {(shell: Shell) => string}
 */
export function shellOf({ title, body, data, assets: { styles, scripts }, isLive = false }) {
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
<title>${title}</title>
<link rel="icon" href="${ICON}">
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
<header>
<h1 id="title">${title}</h1>
<p id="subtitle" class="quiet"></p>
<p id="about" class="quiet small"></p>
</header>
<main>
<noscript><p>This page draws its charts with a script; the figures are in the JSON at the end of the file.</p></noscript>
${body}
</main>
<script type="application/json" id="result">${data}</script>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}

/**
 * Reads the styles and scripts of pages. Call it when the module of a page is loaded, before the run: during a run of
 * hours the files may be replaced by those of another version, or go away. `entry` is the script, see {@link scriptOf};
 * `hasPlots`: it draws with uPlot.
 * @type {(entry: string, options?: { hasPlots?: boolean }) => Assets}
 */
export function readAssets(entry, { hasPlots = false } = {}) {
  const require = createRequire(import.meta.url);
  const read = (/** @type {string | URL} */ path) => readFileSync(path, 'utf8');
  const plot = (/** @type {string} */ name) => (hasPlots ? [read(require.resolve(`uplot/dist/${name}`))] : []);
  const scripts = [...plot('uPlot.iife.min.js'), scriptOf(new URL(entry, import.meta.url))];
  return {
    styles: [...plot('uPlot.min.css'), `${colorProperties()}${read(new URL('page.css', import.meta.url))}`],
    scripts: scripts.map((script) => script.replaceAll('</script', '<\\/script')),
  };
}

/** Reads what only pages with a profile have. @type {() => (assets: Assets, isProfiled: boolean) => Assets} */
export function readProfileAssets() {
  const { scripts } = readAssets('client/profile.js');
  const style = readFileSync(new URL('profile.css', import.meta.url), 'utf8');
  return (assets, isProfiled) =>
    isProfiled ? { styles: [...assets.styles, style], scripts: [...assets.scripts, ...scripts] } : assets;
}

/** A section of a page, hidden until it has content. @type {(title: string, id: string) => string} */
export function section(title, id) {
  return `<section hidden><h2>${title} <span class="quiet"></span></h2><div id="${id}"></div></section>`;
}

/** JSON without secrets that cannot end its script element. @param {object} value */
export function embeddedJson(value) {
  return maskedJson(value).replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** A bar chart in 16 x 16, as a data URL. */
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563eb" d="M1 15V9h4v6zm5 0V1h4v14zm5 0V5h4v10z"/></svg>')}`;
