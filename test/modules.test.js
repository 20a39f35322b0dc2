import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { command, saidBy } from './support/command.js';
import { linkPackage } from './support/in-folder.js';
import { scaled } from './support/scale.js';
import { ok, serving } from './support/serve.js';
import { describeSlow, itSlow } from './support/slow.js';

const RUN = `(process.argv[2], { limit: 1, iterations: 2 })
  .on('end', (stats, errorCount) => console.log(errorCount, stats.main.meter.count));`;

const INTEROP = 'const interop = (it) => (it && it.__esModule ? it : { default: it });';

/** What programs become that import the package, by their source. */
const PROGRAMS = {
  "const benchrest = require('bench-rest')": `const benchrest = require('bench-rest');\nbenchrest${RUN}`,
  "import benchrest = require('bench-rest') of TypeScript": `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const benchrest = require("bench-rest");
benchrest${RUN}`,
  "import * as benchrest from 'bench-rest', which TypeScript compiles without esModuleInterop": `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const benchrest = require("bench-rest");
benchrest${RUN}`,
  "import benchrest from 'bench-rest', which Babel or esModuleInterop compile": `"use strict";
${INTEROP}
const bench_rest_1 = interop(require("bench-rest"));
(0, bench_rest_1.default)${RUN}`,
  "import benchrest from 'bench-rest', which TypeScript compiles without esModuleInterop": `"use strict";
const bench_rest_1 = require("bench-rest");
(0, bench_rest_1.default)${RUN}`,
  "import { benchrest } from 'bench-rest', compiled": `"use strict";
const bench_rest_1 = require("bench-rest");
(0, bench_rest_1.benchrest)${RUN}`,
};

describe('modules', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    linkPackage(folder);
    writeFileSync(join(folder, 'package.json'), '{}');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a file and runs Node with it. */
  const said = (text, args, { name = 'program.js', command = [] } = {}) => {
    writeFileSync(join(folder, name), text);
    return saidBy(process.execPath, [...command, join(folder, name), ...args]);
  };

  describe('of programs', () => {
    let all;
    // in one process, which prints a line for each
    before(() =>
      serving(ok, async (url) => {
        for (const [i, compiled] of Object.values(PROGRAMS).entries())
          writeFileSync(join(folder, `${i}.js`), compiled.replace('console.log(', `console.log('program ${i}:', `));
        const main = Object.values(PROGRAMS).map((_, i) => `require('./${i}.js');`);
        all = await said(main.join('\n'), [url]);
      }),
    );

    for (const [i, source] of Object.keys(PROGRAMS).entries())
      it(`${source} runs`, () => {
        expect(all.stderr).to.equal('');
        expect(all.stdout).to.include(`program ${i}: 0 2\n`);
      });
  });

  itSlow('import of all names runs', () =>
    serving(ok, async (url) => {
      const text = `import * as all from 'bench-rest';\nall.default${RUN}`;
      expect((await said(text, [url], { name: 'program.mjs' })).stdout).to.equal('0 2\n');
    }),
  );

  describeSlow('a flow file that is a program as well', () => {
    const text = `const benchrest = require('bench-rest');
module.exports = [process.env.URL + '/flow'];
benchrest([process.env.URL + '/own'], { limit: 1, iterations: 2 }).on('end', (stats, errorCount) => console.log('own', errorCount));`;

    for (const workers of [[], ['-w', scaled('1', '2')]])
      it(`is run by the command${workers.length > 0 ? ' with workers' : ''}, which starts its run once and says so`, () =>
        serving(ok, async (url, seen) => {
          writeFileSync(join(folder, 'both.js'), text);
          process.env.URL = url;
          const { code, stderr } = await command(['-n', '20', '-c', '2', ...workers, join(folder, 'both.js')], {
            engine: 'thread',
            workers: 'thread',
          });
          delete process.env.URL;
          expect(code, stderr).to.equal(0);
          const count = (path) => seen.filter(({ url: at }) => at === path).length;
          expect(count('/flow')).to.equal(20);
          expect(count('/own')).to.be.at.most(2);
          expect(stderr).to.match(
            /both\.js: starts a run of its own, which disturbs this one: start it only if .*require\.main/,
          );
        }));

    it('is run by Node', () =>
      serving(ok, async (url, seen) => {
        writeFileSync(join(folder, 'both.js'), text);
        const { stdout } = await saidBy(process.execPath, [join(folder, 'both.js')], {
          env: { ...process.env, URL: url },
        });
        expect(stdout).to.equal('own 0\n');
        expect(seen.map((request) => request.url)).to.deep.equal(['/own', '/own']);
      }));
  });

  itSlow('the command runs by the path that it had in version 1, without an extension', async () => {
    const { stdout } = await saidBy(process.execPath, [
      join(folder, 'node_modules/bench-rest/bin/bench-rest'),
      '--version',
    ]);
    expect(stdout).to.match(/^2\./);
  });
});
