import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { benchrest, startRun } from '../../../lib/run/benchrest.js';
import { programLayers } from '../../../lib/run/options/layers.js';
import { ok, serving } from '../../support/serve.js';

const OPTIONS = { limit: 2, iterations: 4 };

describe('run/benchrest', () => {
  it('what is wrong with a flow or its options is thrown at once', () => {
    expect(() => benchrest({}, OPTIONS))
      .to.throw()
      .with.property('code', 'E_NO_MAIN');
    expect(() => benchrest('http://127.0.0.1:9/', {}))
      .to.throw()
      .with.property('code', 'E_NO_LIMIT');
    expect(() => benchrest([{ gett: '/' }], OPTIONS))
      .to.throw()
      .with.property('code', 'E_FLOW');
    expect(() => benchrest('http://127.0.0.1:9/', { limit: 1, iterations: -1 }))
      .to.throw()
      .with.property('code', 'E_RUN_OPTIONS');
  });

  it('the options of the program win over those of the flow, and the flow is not changed', () =>
    serving(ok, async (url, seen) => {
      const flow = Object.freeze({ main: [url], runOptions: Object.freeze({ limit: 1, iterations: 100 }) });
      const { stats, errorCount, why } = await benchrest(flow, { iterations: 3 });
      expect([seen.length, stats.iterations.completed, errorCount, why]).to.deep.equal([3, 3, 0, 'done']);
    }));

  it('a flow file is read by its path and by its URL', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        const path = join(folder, 'flow.json');
        writeFileSync(path, JSON.stringify([url]));
        for (const flow of [path, pathToFileURL(path)]) await benchrest(flow, OPTIONS);
        expect(seen).to.have.lengthOf(8);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

  it('a flow file with a problem rejects the run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const path = join(folder, 'flow.json');
      writeFileSync(path, '{"main": 5}');
      const error = await benchrest(path, OPTIONS).catch((cause) => cause);
      expect(error).to.have.property('code', 'E_NO_MAIN');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a server of this process listens during the run and is closed after it', async () => {
    let count = 0;
    const target = http.createServer((req, res) => res.end(String(++count)));
    const { errorCount } = await benchrest('/', { ...OPTIONS, target });
    expect([count, errorCount, target.listening]).to.deep.equal([4, 0, false]);
  });

  it('the plan holds the options that results show, without secrets', async () => {
    const flow = 'http://127.0.0.1:9/';
    const given = { ...OPTIONS, user: 'u', password: 'p', trace: () => {} };
    const run = startRun(flow, (read) => programLayers(read, given), { source: { data: flow }, uncloneable: null });
    expect(run.plan.options).to.deep.equal(OPTIONS);
    expect(run.plan.origins).to.deep.equal(['http://127.0.0.1:9']);
    run.abort();
    await run;
  });
});
