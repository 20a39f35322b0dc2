import { join } from 'node:path';
import { Writable } from 'node:stream';

import { openOutputs } from '../../lib/core/cli/result/outputs.js';
import { RunView } from '../../lib/core/cli/run/run-view.js';
import { resultAt } from './literal-history.js';

/** What a view gets when its run begins. */
export const START = {
  plan: {
    shape: '1 iteration',
    origins: [],
    proxies: [],
    operations: {},
    options: { limit: 1 },
    limits: { endMs: 1000 },
  },
  from: 'flow.js',
  hash: 'x',
  notices: [],
  hints: [],
};

/** The state of a run after so many seconds. */
export const stateAt = (seconds) => {
  const { run: _run, outcome: _outcome, id: _id, endedAt: _endedAt, ...stats } = resultAt(0, 1);
  const ms = seconds * 1000;
  return { ...stats, measuredElapsed: ms, totalElapsed: ms };
};

/** A view of a run that has begun, which writes these files of a folder. */
export function viewIn(folder, names) {
  const files = names.map((name) => join(folder, name));
  const stream = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const io = { stdout: stream(), stderr: stream(), env: {}, cwd: () => folder };
  const request = { format: 'text', quiet: true, debug: false, outputs: files, version: '2' };
  const view = new RunView(request, { io, outputs: openOutputs(files, folder) });
  view.onBegin(START);
  return view;
}
