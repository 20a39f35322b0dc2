import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import axe from 'axe-core';
import { expect } from 'chai';
import { chromium } from 'playwright-core';

import { compareResults, renderResult, writeResult, withBaseline } from '../../lib/results.js';
import { Histogram } from '../../lib/core/measure/histogram.js';
import { compareCapacities } from '../../lib/addons/capacity/report/comparison.js';
import { render as renderCapacities } from '../../lib/addons/page/capacity-comparison.js';
import { render as renderCapacity } from '../../lib/addons/page/capacity.js';
import { command } from '../support/command.js';
import { literalCapacity } from '../support/literal-capacity.js';
import { literalResult } from '../support/literal-result.js';
import { serving } from '../support/serve.js';

const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  process.env.CHROMIUM ?? '',
].find((path) => existsSync(path));
/** requests: with less than four in the result, the page has no percentiles */
const ENOUGH_FOR_PERCENTILES = 20;
const HOSTILE = '</script><img src=x onerror="alert(1)"><!-- \u2028 javascript:alert(1)';

describe('the page, in a browser', () => {
  let browser;
  let folder;
  before(async function () {
    if (!CHROMIUM) throw new Error('these tests need Chromium: apt-get install chromium, or CHROMIUM=/path/to/it');
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page, and lists its errors and network requests. */
  const open = async (url, options = {}) => {
    const page = await browser.newPage(options);
    const heard = { console: [], requests: [] };
    page.on('console', (message) => heard.console.push(message.text()));
    page.on('pageerror', (error) => heard.console.push(error.message));
    page.on('dialog', (dialog) => heard.console.push(dialog.message()));
    page.on('request', (request) => heard.requests.push(request.url()));
    await page.goto(url);
    return { page, heard };
  };

  describe('after a run of three seconds', () => {
    let file;
    before(() =>
      serving(
        (req, res) => setTimeout(() => res.writeHead(Number(req.url.slice(1)) % 20 === 7 ? 503 : 200).end(), 5),
        async (url) => {
          file = join(folder, 'result.html');
          const flow =
            `({ main: [{ get: '/#{INDEX}', name: ${JSON.stringify(HOSTILE)} }], afterMain: [{ get: '/0', name: 'tidy' }] })`.slice(
              1,
              -1,
            );
          const { code, stderr } = await command([
            '-t',
            '3s',
            '-c',
            '5',
            '--base-url',
            url,
            '--threshold',
            'p99<1us',
            '-o',
            file,
            '-e',
            flow,
          ]);
          expect(code, stderr).to.equal(99);
        },
      ),
    );

    for (const colorScheme of ['light', 'dark']) {
      it(`draws its charts and tables without network requests, ${colorScheme}`, async () => {
        const { page, heard } = await open(pathToFileURL(file).href, { colorScheme });
        const points = await page.$$eval('[data-points]', (all) =>
          all.map(({ id, dataset }) => [id, Number(dataset.points)]),
        );
        const counts = Object.fromEntries(points);
        expect(Object.keys(counts)).to.deep.equal([
          'latency-over-time',
          'rate',
          'by-operation',
          'running',
          'event-loop',
        ]);
        const legends = await page.$$eval('#by-operation .legend li', (all) => all.map((one) => one.textContent));
        expect(legends.map((text) => text.replace(/[\d.,]+ ms$/, ''))).to.deep.equal([HOSTILE, 'tidy']);
        expect(counts.rate).to.be.at.least(3);
        const drawn = await page.$$eval('canvas', (all) =>
          all.map((canvas) =>
            canvas
              .getContext('2d')
              .getImageData(0, 0, canvas.width, canvas.height)
              .data.some((value) => value > 0),
          ),
        );
        expect(drawn).to.deep.equal([true, true, true, true, true, true]);
        expect(await page.textContent('#thresholds'))
          .to.include('p99<1us')
          .and.include('failed');
        expect(await page.textContent('#outcome')).to.match(
          /failed[^]*the threshold is p99<1us[^]*validity: (?:valid|suspect)/,
        );
        expect(await page.title()).to.match(/^✗ /);
        expect(await page.$$eval('#operations tbody tr', (rows) => rows.length)).to.equal(2);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(ground).to.equal(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(14, 17, 22)');
        expect(heard.console).to.deep.equal([]);
        expect(heard.requests).to.deep.equal([pathToFileURL(file).href]);
        await page.close();
      });
    }

    for (const colorScheme of ['light', 'dark'])
      for (const width of [1280, 390])
        it(`has no finding of axe-core, ${colorScheme}, ${width} pixels wide`, async () => {
          const { page } = await open(pathToFileURL(file).href, { colorScheme, viewport: { width, height: 800 } });
          for (const closed of await page.$$('.name, details:not([open]) > summary'))
            await closed.evaluate((one) => one.click());
          await page.evaluate(`${axe.source}; undefined`);
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).to.deep.equal(
            [],
          );
          await page.close();
        });

    it('shows the request and the response of the first error', async () => {
      const { page } = await open(pathToFileURL(file).href);
      await page.click('#errors summary');
      const text = await page.textContent('#errors details[open] pre');
      expect(text).to.match(/^> GET http.*\/7\n(> .*\n)*< 503/);
      await page.close();
    });

    it('operations are sorted and opened by keyboard, which an update keeps', async () => {
      const { page } = await open(pathToFileURL(file).href);
      const names = () => page.$$eval('#operations tbody .name', (all) => all.map((one) => one.textContent));
      const [first, second] = await names();
      await page.focus('#operations th:first-child button');
      for (const [direction, order] of [
        ['ascending', [second, first]],
        ['descending', [first, second]],
      ]) {
        await page.keyboard.press('Enter');
        expect(await page.getAttribute('#operations th:first-child', 'aria-sort')).to.equal(direction);
        expect([...(await names())].sort()).to.deep.equal([...order].sort());
      }
      await page.focus('#operations .name');
      await page.keyboard.press('Enter');
      expect(await page.textContent('#operations .details')).to.match(/status[^]*200[^]*503/);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).to.equal('true');
      await page.close();
    });

    it('a zoom is that of all charts over time, and a double click ends it', async () => {
      const { page } = await open(pathToFileURL(file).href);
      const legendOf = (id) => page.textContent(`#${id} .keys .small`);
      const chart = page.locator('#latency-over-time .u-over');
      await chart.hover();
      const box = await chart.boundingBox();
      await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
      expect(await legendOf('rate'))
        .to.equal(await legendOf('latency-over-time'))
        .and.match(/^around /);
      const pixels = () => page.$eval('#rate canvas', (canvas) => canvas.toDataURL());
      const whole = await pixels();
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.9, box.y + 50, { steps: 5 });
      await page.mouse.up();
      await page.waitForFunction((old) => document.querySelector('#rate canvas').toDataURL() !== old, whole);
      await page.mouse.dblclick(box.x + 50, box.y + 50);
      await page.waitForFunction((old) => document.querySelector('#rate canvas').toDataURL() === old, whole);
      await page.close();
    });

    it('legends have the figures of the tiles, until the cursor is on a chart', async () => {
      const { page } = await open(pathToFileURL(file).href);
      const legend = await page.textContent('#latency-over-time .keys');
      const tiles = await page.$$eval('#cards b', (all) => all.map((one) => one.textContent));
      // charts draw what was measured, the high end of a range
      const measured = (tile) => tiles[tile].replace('~', '').replace(/^[\d.,]+–/, '');
      expect(legend)
        .to.include(`p50${measured(1)}`)
        .and.include(`p99${measured(3)}`)
        .and.include('whole run');
      expect(await page.$$eval('#cards .spark polyline', (lines) => lines.length)).to.equal(6);
      await page.close();
    });

    it('saves the result and its tables as files', async () => {
      const { page } = await open(pathToFileURL(file).href);
      const saved = async (name) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name }).click(),
        ]);
        await download.saveAs(join(folder, name));
        return readFileSync(join(folder, name), 'utf8');
      };
      expect(await saved('operations.csv')).to.match(
        /^name,phase,count,errors,median_ms,.*\r\niteration,main,\d+,\d+,/,
      );
      expect(await saved('intervals.csv')).to.match(/^at_s,completedRate,errors_per_second,median_ms,p95_ms,p99_ms,/);
      await saved('result.json');
      const { stdout } = await command(['report', join(folder, 'result.json')]);
      expect(stdout).to.include('the threshold is p99<1us');
      await page.close();
    });

    it('a page of a dark screen is printed in the colors of paper', async () => {
      const { page } = await open(pathToFileURL(file).href, { colorScheme: 'dark' });
      const lightness = () =>
        page.evaluate(() => [
          getComputedStyle(document.body).backgroundColor,
          getComputedStyle(document.documentElement).getPropertyValue('--line').trim(),
        ]);
      const dark = await lightness();
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await lightness()).to.deep.equal(['rgb(255, 255, 255)', '#e4e7ec']);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await lightness()).to.deep.equal(dark);
      await page.close();
    });

    it('X4 a hostile name stays text', async () => {
      const { page, heard } = await open(pathToFileURL(file).href);
      expect(await page.textContent('#operations tbody code')).to.equal(HOSTILE);
      expect(await page.$$eval('img', (all) => all.length)).to.equal(0);
      expect(heard.console).to.deep.equal([]);
      await page.close();
    });

    it('fits a phone: only tables scroll sideways, also by keyboard', async () => {
      const { page } = await open(pathToFileURL(file).href, { viewport: { width: 360, height: 700 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(360);
      expect(
        await page.$$eval('#latency th', (all) => all.filter((th) => th.offsetWidth > 0).map((th) => th.textContent)),
      ).to.deep.equal(['ms', 'p50', 'p90', 'p95', 'p99', 'max']);
      const regions = await page.$$eval('.scroll', (all) =>
        all
          .filter((one) => !one.closest('details'))
          .map(({ tabIndex, ariaLabel }) => tabIndex === 0 && Boolean(ariaLabel)),
      );
      expect(regions.every(Boolean)).to.equal(true);
      expect(
        await page.$$eval('.plot', (all) =>
          all.every((plot) => plot.getAttribute('role') === 'img' && plot.getAttribute('aria-label').length > 10),
        ),
      ).to.equal(true);
      await page.close();
    });
  });

  it('shows changes against a baseline, and folds the checks that passed if they are many', async () => {
    const file = join(folder, 'compared.html');
    const checks = Array.from({ length: 20 }, (_, i) => ({
      operation: 'GET /',
      name: `status ${i}`,
      path: 'flow.main[0]',
      passed: 100,
      failed: i === 3 ? 10 : 0,
      share: i === 3 ? 0.9 : 1,
    }));
    const result = { ...literalResult(), checks: { passed: 2000, failed: 10, share: 0.99, details: checks } };
    await writeResult(
      withBaseline(result, { ...literalResult(), id: 'base', run: undefined }, { from: 'base.json' }),
      file,
    );
    const { page, heard } = await open(pathToFileURL(file).href);
    expect(await page.textContent('#baseline')).to.match(/p95, ms.*95\.0.*0\.0 %/);
    const rowsOf = (selector) => page.$$eval(`${selector} tbody tr`, (rows) => rows.length);
    expect([await rowsOf('#checks > .scroll'), await rowsOf('#checks details')]).to.deep.equal([1, 19]);
    expect(heard.console).to.deep.equal([]);
    await page.close();
  });

  describe('of a comparison', () => {
    let file;
    before(async () => {
      file = join(folder, 'diff.html');
      const result = (level, name, run) => {
        const one = literalResult();
        one.id = `run-${run}`;
        // the sides ran in turn
        one.startedAt = new Date(Date.UTC(2026, 0, 1) + run * 60_000).toISOString();
        one.main.completed.p95 *= level;
        one.iterations.failed = 0;
        one.thresholds = [];
        one.errors = { ...one.errors, count: 0 };
        for (const times of [one.main.histogram, one.main.completed]) times.hdr = countsOfTimes();
        one.operations[0].name = name;
        return one;
      };
      const sides = [
        [1, 1.01, 0.99, 1.02, 0.98, 1],
        [0.51, 0.5, 0.49, 0.5, 0.505, 0.495],
      ].map((levels, i) => levels.map((level, run) => result(level, i === 0 ? HOSTILE : 'GET /new', 2 * run + i)));
      await writeResult(compareResults(...sides, { labels: ['old.js', HOSTILE] }), file);
    });

    for (const colorScheme of ['light', 'dark'])
      for (const width of [1280, 390])
        it(`shows sentence, intervals and distribution, ${colorScheme}, ${width} pixels wide`, async () => {
          const { page, heard } = await open(pathToFileURL(file).href, {
            colorScheme,
            viewport: { width, height: 800 },
          });
          expect(await page.textContent('#outcome')).to.match(/✓ better\s*p95 of B is 50\.\d % lower \(/);
          expect(await page.$$eval('#figures .interval', (all) => all.length)).to.equal(6);
          expect(await page.$$eval('#distribution path', (all) => all.length)).to.equal(2);
          expect(await page.$$eval('#operations tbody tr', (rows) => rows.length)).to.equal(3);
          expect(await page.textContent('#sides')).to.include(HOSTILE);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(width);
          await page.evaluate(`${axe.source}; undefined`);
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).to.deep.equal(
            [],
          );
          expect(heard.console).to.deep.equal([]);
          expect(heard.requests).to.deep.equal([pathToFileURL(file).href]);
          await page.close();
        });
  });

  describe('of capacities', () => {
    const hostile = () => ({
      ...literalCapacity(),
      run: { flow: { source: HOSTILE, sha256: 'x' }, origins: [], options: {} },
    });
    const pages = {
      'a capacity': () => renderCapacity(hostile()),
      'a comparison': () =>
        renderCapacities(compareCapacities(literalCapacity(), { ...hostile(), within: 0.1 }, ['a.json', HOSTILE])),
    };
    for (const [name, render] of Object.entries(pages))
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 390],
      ])
        it(`${name} shows its curves over the load, ${colorScheme}, ${width} pixels wide`, async () => {
          const file = join(folder, 'capacity.html');
          writeFileSync(file, render());
          const { page, heard } = await open(pathToFileURL(file).href, {
            colorScheme,
            viewport: { width, height: 800 },
          });
          expect(await page.$$eval('#times polyline', (all) => all.length)).to.equal(name === 'a capacity' ? 3 : 2);
          expect(await page.$$eval('#throughput circle', (all) => all.length)).to.be.at.least(6);
          expect(await page.textContent('main')).to.include('at 208/s p99<300ms failed with 748 ms');
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(width);
          await page.evaluate(`${axe.source}; undefined`);
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).to.deep.equal(
            [],
          );
          expect(heard.console).to.deep.equal([]);
          expect(heard.requests).to.deep.equal([pathToFileURL(file).href]);
          await page.close();
        });
  });

  for (const colorScheme of ['light', 'dark'])
    it(`a card is drawn as an image, ${colorScheme}`, async () => {
      const svg = join(folder, 'card.svg');
      const document = join(folder, 'card.html');
      writeFileSync(svg, await renderResult(literalResult(), { format: 'card' }));
      writeFileSync(document, '<img src="card.svg">');
      const { page, heard } = await open(pathToFileURL(document).href, { colorScheme });
      const size = await page.$eval('img', async (image) => {
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      });
      expect(size).to.deep.equal([1200, 630]);
      const root = await page
        .goto(pathToFileURL(svg).href)
        .then(() => page.evaluate(() => document.documentElement.tagName));
      expect(root).to.equal('svg');
      const ground = await page.$eval('rect', (rect) => getComputedStyle(rect).fill);
      expect(ground).to.equal(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(14, 17, 22)');
      expect(heard.console).to.deep.equal([]);
      await page.close();
    });

  it('X6 the dashboard is live during the run, and becomes the report', () => {
    let answers = 0;
    let answeredEnough;
    const enough = new Promise((resolve) => (answeredEnough = resolve));
    return serving(
      (req, res) => setTimeout(() => res.end(() => ++answers === ENOUGH_FOR_PERCENTILES && answeredEnough()), 5),
      async (url) => {
        let page;
        let said;
        await command(['--forever', '-c', '3', '-d', '0', '-o', join(folder, 'live.html'), '--dashboard', url], {
          act: async (child, heardOf) => {
            const [, at] = await heardOf(/dashboard: (\S+)/);
            expect(await statusOf(at, { headers: { host: 'evil.test' } })).to.equal(403);
            expect(await statusOf(at, { method: 'POST' })).to.equal(405);
            expect(await statusOf(`${at}other`, {})).to.equal(404);
            ({ page, heard: said } = await open(at));
            await page.waitForFunction(() => document.title.startsWith('●'));
            const before = await page.textContent('#cards');
            // figures of the run are no metrics of hooks
            expect(await page.isVisible('#metrics')).to.equal(false);
            await page.waitForFunction((text) => document.getElementById('cards').textContent !== text, before);
            await enough;
            child.kill('SIGINT');
          },
        });
        // a run that was stopped has failed
        await page.waitForFunction(() => document.title.startsWith('✗'));
        expect(await page.textContent('#progress')).to.match(/The result is in .*live\.html\.$/);
        expect(await page.isVisible('#percentiles canvas')).to.equal(true);
        expect(await page.isVisible('#distribution svg.plot')).to.equal(true);
        expect(said.console).to.deep.equal([]);
        expect(new Set(said.requests.map((one) => new URL(one).origin)).size).to.equal(1);
        await page.close();
      },
    );
  });
});

/** The counts of 1 to 100 ms. */
function countsOfTimes() {
  const times = new Histogram();
  for (let ms = 1; ms <= 100; ms++) times.update(ms);
  return times.encoded();
}

function statusOf(url, options) {
  return new Promise((resolve, reject) => {
    http
      .request(url, options, (response) => (response.resume(), resolve(response.statusCode)))
      .on('error', reject)
      .end();
  });
}
