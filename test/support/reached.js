// mocha --require, for `npm run mutants`: writes which functions of lib/core the tests of each file call, into the folder REACHED
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORE = new URL('../../lib/core/', import.meta.url).href;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

let file;

/** The counts of a process begin anew with each file of tests. */
export const mochaHooks = {
  beforeAll() {
    file = this.test.parent.suites[0]?.file;
  },

  afterAll() {
    if (file === undefined) return;
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      const test = relative(join(ROOT, 'test'), file);
      const sources = result.filter(({ url }) => url.startsWith(CORE)).map(reachedOf);
      writeFileSync(join(process.env.REACHED, `${test.replaceAll('/', ' ')}.json`), JSON.stringify({ test, sources }));
    });
  },
};

/** The functions of a file of lib/core: from where to where, and whether it was called. */
function reachedOf({ url, functions }) {
  const path = relative(ROOT, fileURLToPath(url));
  return {
    path,
    functions: functions.map(({ ranges: [{ startOffset, endOffset, count }] }) => [startOffset, endOffset, count > 0]),
  };
}
