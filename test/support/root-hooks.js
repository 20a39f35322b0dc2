import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

import { expect } from 'chai';

import { forgetHidden } from '../../lib/core/text/mask.js';
import { IS_FULL } from './scale.js';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

// with the small counts most code runs a few times: to optimize it as early as V8 does by default takes a sixth of the
// CPU; the V8 of Node 22 has other limits
if (!IS_FULL && Number.parseInt(process.versions.node) < 22) setFlagsFromString('--interrupt-budget=1000000');

// mocha ends its processes a second after their last file, and V8 may take longer to write their coverage
if (process.env.NODE_V8_COVERAGE !== undefined) process.on('SIGTERM', () => {});

// for the command in any process: tests read messages in lines as they are written
process.env.COLUMNS = '9999';

/** The variables before the tests of a file. @type {NodeJS.ProcessEnv} */
let environment;

/** Required by .mocharc.json: the name of the process, and checks after every test and file. */
export const mochaHooks = {
  // `ps` shows which file a process of the runner is at, also if that blocks its event loop
  beforeAll() {
    environment = { ...process.env };
    const file = this.test.parent.suites[0]?.file;
    if (file !== undefined) process.title = relative(TESTS, file);
  },

  afterEach() {
    // no input of a test may modify Object.prototype (B16)
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    // a value of one test's environment, such as `http://`, may be in the output of another one
    forgetHidden();
  },

  // a process of the runner has several files, and a variable that one of them leaves is read by the next
  afterAll() {
    expect({ ...process.env }).to.deep.equal(environment);
  },
};

/**
 * Fails the run if it ends without a summary: the death of a worker process can leave the runner with nothing to wait
 * for. The summary sets the exit code.
 */
export function mochaGlobalSetup() {
  process.exitCode = 1;
}
