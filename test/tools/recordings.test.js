import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from 'chai';

import { PROGRAM, saidBy } from '../support/command.js';
import { recorded } from '../support/har.js';
import { inFolder } from '../support/in-folder.js';

const MIB = 1024 * 1024;
/** Prints the most memory that the process had, in kB. */
const WATCH = "process.on('exit', () => process.stderr.write('max ' + process.resourceUsage().maxRSS))";

/** Images, JSON, pages and scripts, as a long session has them: type, body, and what asked for it. */
const SITE = [
  ['image/png', () => Buffer.alloc(45_000, 1).toString('base64'), 'image'],
  [
    'application/json',
    (i) => JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, name: `名 ${i}-${id}` }))),
    'xhr',
  ],
  [
    'text/html',
    (i) => `${'<p>a page</p>'.repeat(2000)}<input type="hidden" name="t" value="tok${i}abc99x">`,
    'document',
  ],
  ['text/javascript', () => 'x'.repeat(20_000), 'script'],
];
/** Lists of objects, whose values later requests have. */
const VALUES = [
  [
    'application/json',
    (i) =>
      JSON.stringify(
        Array.from({ length: 200 }, (_, k) => ({ id: 200 * i + k, name: `item ${i}-${k}`, code: `${i}x9Qz${k}` })),
      ),
    'xhr',
  ],
];

describe('recordings of browsers', () => {
  for (const [what, kinds] of Object.entries({ 'pages and images': SITE, 'small values': VALUES }))
    it(`50 MB of HAR with ${what} are imported within 300 MB of memory`, () =>
      inFolder(
        async (folder) => {
          const file = join(folder, 'site.har');
          await writeRecording(file, 50 * MIB, kinds);
          const args = [
            '--import',
            join(folder, 'watch.mjs'),
            PROGRAM,
            'import',
            file,
            '-o',
            join(folder, 'flow.yaml'),
          ];
          const { code, stderr } = await saidBy(process.execPath, args);
          expect(code, stderr).to.equal(0);
          expect(Number(/max (\d+)/.exec(stderr)[1]) / 1000).to.be.below(300);
        },
        { 'watch.mjs': WATCH },
      ));
});

async function writeRecording(file, size, kinds) {
  const out = createWriteStream(file);
  out.write('{"log":{"version":"1.2","entries":[');
  for (let i = 0, written = 0; written < size; i++) {
    const [mimeType, body, type] = kinds[i % kinds.length];
    const content = { mimeType, text: body(i), ...(type === 'image' && { encoding: 'base64' }) };
    const entry = recorded(`GET https://shop.test/items/${i}?ref=${3 * i}`, {
      at: 100 * i,
      entry: { _resourceType: type, response: { status: 200, headers: [], content } },
    });
    const text = `${i === 0 ? '' : ','}${JSON.stringify(entry)}`;
    written += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end(']}}');
  await once(out, 'finish');
}
