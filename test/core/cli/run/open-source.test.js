import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { openSource } from '../../../../lib/core/cli/run/open-source.js';

const open = (given, context = {}) =>
  openSource(given, {
    cwd: import.meta.dirname,
    io: { env: {} },
    config: { path: null, options: {} },
    runOptions: {},
    ...context,
  });
const sourceOf = async (...args) => (await open(...args)).source;
const BASE = { runOptions: { baseUrl: 'http://a/' } };
const CONFIG = '/project/.bench-restrc.yaml';

describe('cli/run/open-source', () => {
  it('URLs, files and texts of -e stay as they are', async () => {
    for (const source of [{ argument: 'http://a/' }, { argument: 'x.js' }, { evaluate: '{}' }, { urls: ['http://a/'] }])
      expect(await open(source)).to.deep.equal({ source, layers: [] });
  });

  it('a name without its extension is the one file that fits', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const names = ['flow.js', 'two.mjs', 'two.yaml', 'login.flow.js', 'v1.2.js', 'v1.3.js', 'v1.3.json'];
      for (const name of names) writeFileSync(join(cwd, name), '');
      mkdirSync(join(cwd, 'flow'));
      expect(await sourceOf({ argument: './flow' }, { cwd })).to.deep.equal({ argument: './flow.js' });
      expect(await sourceOf({ argument: './three' }, { cwd })).to.deep.equal({ argument: './three' });
      expect(await sourceOf({ argument: './login.flow' }, { cwd })).to.deep.equal({ argument: './login.flow.js' });
      expect(await sourceOf({ argument: './v1.2' }, { cwd })).to.deep.equal({ argument: './v1.2.js' });
      expect(await sourceOf({ argument: './v1.4' }, { cwd })).to.deep.equal({ argument: './v1.4' });
      const several = [
        ['two', 'two.mjs or two.yaml'],
        ['v1.3', 'v1.3.js or v1.3.json'],
      ];
      for (const [argument, files] of several) {
        const error = await sourceOf({ argument }, { cwd }).catch((reason) => reason);
        expect(error.message).to.include(`${argument} can be ${files}: write the name with its extension`);
      }
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it('a path is a URL if there is a base URL, and an argument otherwise', async () => {
    expect(await sourceOf({ argument: '/x' }, BASE)).to.deep.equal({ urls: ['/x'] });
    expect(await sourceOf({ argument: '/x' }, { hasServer: true })).to.deep.equal({ urls: ['/x'] });
    expect(await sourceOf({ argument: '/x' })).to.deep.equal({ argument: '/x' });
  });

  it('a path that is longer than the name of a file can be is a URL', async () => {
    for (const length of [249, 253, 300]) {
      const path = `/${'x'.repeat(length)}`;
      expect(await sourceOf({ argument: path }, BASE)).to.deep.equal({ urls: [path] });
    }
  });

  it('PORT is a base URL if nothing else is', async () => {
    const io = { env: { PORT: '8080' } };
    expect(await open({ argument: '/x' }, { io })).to.deep.equal({
      source: { urls: ['/x'] },
      layers: [{ name: 'PORT in the environment', options: { baseUrl: 'http://localhost:8080' } }],
    });
    const { layers } = await open({ argument: '/x' }, { io: { env: { PORT: '65535' } } });
    expect(layers[0].options.baseUrl).to.equal('http://localhost:65535');
    expect((await open({ argument: '/x' }, { io, ...BASE })).layers).to.deep.equal([]);
    expect((await open({ urls: ['http://a/', 'http://b/'] }, { io })).layers).to.deep.equal([]);
  });

  const flows = [
    ['flow.js', { argument: '/project/flow.js' }, 'a path is relative to the file'],
    ['../other/flow.js', { argument: '/other/flow.js' }, 'a path upwards'],
    ['http://a/', { argument: 'http://a/' }, 'a URL'],
    ['unix:/run/a.sock:/x', { argument: 'unix:/run/a.sock:/x' }, 'a unix socket'],
  ];
  for (const [flow, source, what] of flows) {
    it(`the flow of the configuration file is used without an argument: ${what}`, async function () {
      if (process.platform === 'win32') this.skip();
      expect(await sourceOf(null, { config: { path: CONFIG, options: {}, flow } })).to.deep.equal(source);
    });
  }

  it('the flow of the configuration file wins over the root of the embedded target, and loses to an argument', async () => {
    const config = { path: CONFIG, options: {}, flow: 'http://a/' };
    expect(await sourceOf(null, { config, hasServer: true })).to.deep.equal({ argument: 'http://a/' });
    expect(await sourceOf(null, { hasServer: true })).to.deep.equal({ urls: ['/'] });
    expect(await sourceOf({ argument: 'x.js' }, { config })).to.deep.equal({ argument: 'x.js' });
  });

  it('without any flow the error says how to pass one', async () => {
    const error = await open(null).catch((thrown) => thrown);
    expect(error.message).to.match(/a flow is missing; try: bench-rest http/);
  });
});
