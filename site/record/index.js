import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { installSite } from '../install.js';
import { terminalSvg } from './terminal-svg.js';

/**
 * Records what the first page of the site shows, from real runs: `npm run site:record`, or with `terminal` or `result`
 * one of both. Needs `script` of util-linux and Chromium, and a machine with little other work.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SHOWN = join(ROOT, 'docs/landing');
const COMMAND = join(ROOT, 'bin/bench-rest.js');
const ARGS = '--serve --serve-delay 5ms,25ms -r 100 -t 10s';
/** Terminals of a desk and of a phone. */
const TERMINALS = { terminal: { cols: 100, rows: 34 }, 'terminal-narrow': { cols: 58, rows: 34 } };
/** The load grows until the shop cannot follow. */
const RUN = ['--start', 'node shop.js', '--profile', '--stage', '60s:220', '-c', '100', 'visitors.js'];
const PAGE = { width: 1180, height: 1500 };

const folder = mkdtempSync(join(tmpdir(), 'bench-rest-record-'));
const parts = { terminal, result };
const chosen = process.argv.slice(2);
try {
  mkdirSync(SHOWN, { recursive: true });
  for (const [name, record] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await record();
} finally {
  rmSync(folder, { recursive: true });
}

async function terminal() {
  installSite();
  const { recordTerminal } = await import('./terminal.js');
  const prompt = `npx bench-rest ${ARGS}`;
  for (const [name, size] of Object.entries(TERMINALS)) {
    const screens = await recordTerminal(`${process.execPath} ${COMMAND} ${ARGS}`, { prompt, ...size, cwd: folder });
    writeFileSync(join(SHOWN, `${name}.svg`), terminalSvg(screens, size));
    // what the page has before the film
    writeFileSync(join(SHOWN, `${name}-still.svg`), terminalSvg([{ ...screens.at(-1), atMs: 0 }], size));
  }
}

async function result() {
  for (const name of ['shop.js', 'visitors.js'])
    copyFileSync(new URL(name, import.meta.url), join(folder, name.replace(/\.js$/, '.mjs')));
  const args = RUN.map((arg) => arg.replaceAll('.js', '.mjs'));
  const page = join(folder, 'result.html');
  const outputs = ['-o', join(SHOWN, 'result.json'), '-o', page];
  const run = spawnSync(process.execPath, [COMMAND, ...args, ...outputs], { cwd: folder, encoding: 'utf8' });
  if (run.stdout === '') throw new Error(run.stderr);
  process.stdout.write(run.stdout);
  await pictures(page);
}

/** The top of the page, light and dark. */
async function pictures(page) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
  try {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const tab = await browser.newPage({ viewport: PAGE, colorScheme });
      await tab.goto(`file://${page}`);
      await tab.screenshot({ path: join(SHOWN, `result-${colorScheme}.png`) });
    }
  } finally {
    await browser.close();
  }
}
