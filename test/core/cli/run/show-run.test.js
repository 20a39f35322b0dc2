import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';

import benchrest from '../../../../index.js';
import { showRun } from '../../../../lib/core/cli/run/show-run.js';
import { TICK_MS } from '../../../../lib/core/report/live/index.js';
import { serving } from '../../../support/serve.js';
import { until } from '../../../support/until.js';

const ok = (req, res) => res.end('ok');

/** A stream that keeps what is written to it. */
function kept({ isTTY = false } = {}) {
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        stream.text += chunk;
        done();
      },
    }),
    { text: '', isTTY, columns: 100 },
  );
  return stream;
}

/** What a run shows, and what it resolves to. */
async function shown(flow, options, settings = {}, stderr = kept()) {
  const stdout = kept();
  const run = benchrest(flow, options).show({ stdout, stderr, color: 'never', ...settings });
  const result = await run;
  return { result, stdout: stdout.text, stderr: stderr.text };
}

describe('cli/run/show-run', () => {
  it('prints the report of the command before an awaited run continues', () =>
    serving(ok, async (url) => {
      const { result, stdout, stderr } = await shown(url, { limit: 1, iterations: 5 });
      expect(result.errorCount).to.equal(0);
      expect(stdout)
        .to.match(/iterations\/s/)
        .and.match(/^✓ /)
        .and.include('5 requests');
      expect(stderr).to.equal('');
    }));

  it('draws a bar on a terminal, and leaves its cursor and its modes as they are', () =>
    serving(ok, async (url) => {
      const stderr = kept({ isTTY: true });
      const run = benchrest(url, { limit: 1, forever: true }).show({ stderr, report: false });
      const write = stderr.write.bind(stderr);
      stderr.write = (...args) => {
        if (/in flight/.test(args[0])) run.stop();
        return write(...args);
      };
      await run;
      expect(stderr.text).to.match(/\d\/s/);
      expect(stderr.text).not.to.include('\u001b[?');
    }));

  it('full adds the details of the report', () =>
    serving(
      (req, res) => res.writeHead(500).end(),
      async (url) => {
        const { stdout } = await shown(url, { limit: 1, iterations: 5 }, { full: true, progress: false });
        expect(stdout).to.include('connections').and.include('500: 5');
      },
    ));

  it('a file that is missing rejects the run', async () => {
    const error = await benchrest(new URL('no-flow.js', import.meta.url), { limit: 1, iterations: 1 })
      .show({ stdout: kept(), stderr: kept() })
      .catch((reason) => reason);
    expect(error.code).to.equal('E_FILE_NOT_FOUND');
  });

  it('asks a run that fails after its start nothing more', async () => {
    let asked = 0;
    let fail;
    const ended = new Promise((_, reject) => (fail = reject));
    const run = Object.assign(new EventEmitter(), { plan: null, counters: () => void asked++, snapshot: () => null });
    await showRun(run, ended, { stderr: kept({ isTTY: true }), report: false });
    run.emit('start');
    await until(() => asked > 0);
    fail(new Error('the thread was lost'));
    await ended.catch(() => {});
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 3 * TICK_MS));
    expect(asked).to.equal(before);
  });

  it('report: false and progress: false print nothing', () =>
    serving(ok, async (url) => {
      const { stdout, stderr } = await shown(
        url,
        { limit: 1, iterations: 5 },
        { report: false, progress: false },
        kept({ isTTY: true }),
      );
      expect([stdout, stderr]).to.deep.equal(['', '']);
    }));
});
