import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { inFolder } from '../../../support/in-folder.js';
import { ok, serving } from '../../../support/serve.js';
import { commandHere } from '../../../support/command.js';
import { join } from 'node:path';

const LONG = '12345678901234567890';

describe('a number that loses digits', () => {
  const flows = {
    'a flow in YAML': [{ 'flow.yaml': `main:\n  - { post: /, json: { id: ${LONG} } }\n` }, 'flow.yaml:2:28'],
    'a flow in JSON': [{ 'flow.json': `{ "main": [\n{ "post": "/", "json": { "id": ${LONG} } }] }` }, 'flow.json:2:32'],
    'a row of JSON': [
      { 'rows.json': `[{ "id": 1 },\n{ "id": ${LONG} }]`, 'flow.yaml': "data: { u: rows.json }\nmain: ['/#{u.id}']" },
      'rows.json:2',
    ],
    'a row of NDJSON': [
      { 'rows.ndjson': `{ "id": ${LONG} }`, 'flow.yaml': "data: { u: rows.ndjson }\nmain: ['/#{u.id}']" },
      'rows.ndjson:1',
    ],
  };
  for (const [what, [files, place]] of Object.entries(flows))
    it(`is a warning with its place: ${what}`, () =>
      serving(ok, (baseUrl) =>
        inFolder(async (folder) => {
          const name = Object.keys(files).find((one) => one.startsWith('flow'));
          const warnings = [];
          const run = benchrest(join(folder, name), { baseUrl, limit: 1, iterations: 1 });
          await run.on('warning', ({ message }) => warnings.push(message));
          expect(warnings).to.have.lengthOf(1);
          expect(warnings[0]).to.include(`${place}: ${LONG} is read as 12345678901234567000: `);
          const { stderr } = await commandHere(['-n', '1', '--base-url', baseUrl, join(folder, name)]);
          expect(stderr.replaceAll(/\s+/g, ' ')).to.include(`${LONG} is read as`);
        }, files),
      ));

  it('a row whose number is out of range is refused', () =>
    inFolder(
      async (folder) => {
        const flow = { data: { u: join(folder, 'rows.json') }, main: ['http://127.0.0.1:1/#{u.id}'] };
        const error = await benchrest(flow, { limit: 1, iterations: 1 }).catch((one) => one);
        expect(error.message).to.include('rows.json:1: number is out of range: 1e400');
      },
      { 'rows.json': '[{ "id": 1e400 }]' },
    ));
});
