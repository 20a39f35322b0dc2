import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { draftOf, newDraft, relativeToBase } from '../../../lib/addons/import/draft.js';
import { replaceSecrets } from '../../../lib/addons/import/secrets.js';
import { SOURCES } from '../../../lib/addons/import/sources.js';
import { settle, token } from '../../../lib/addons/import/tokens.js';
import { command } from '../../support/command.js';
import { inFolder } from '../../support/in-folder.js';
import { seeded } from '../../support/random.js';
import { scaled } from '../../support/scale.js';
import { serving } from '../../support/serve.js';
import { itSlow } from '../../support/slow.js';
import { findPlanted } from '../../support/token-fuzz.js';

/** The operation of a draft that has been settled. */
function settled(operation, parts = {}) {
  const draft = newDraft(parts);
  draft.phases.main.push(draftOf(operation));
  const { properties, phases } = settle(draft);
  return { operation: phases.main[0].operation, properties };
}

describe('import/tokens', () => {
  it('a token of the importer is live, and one of the document is text', () => {
    const { operation, properties } = settled({ get: `/${token('id')}`, headers: { 'X-A': '#{id}', '#<b>': '#{2}' } });
    expect(operation).to.deep.equal({
      get: '/#{id}',
      headers: { 'X-A': '#{hash}{id}', '#{hash}<b>': '#{hash}{2}' },
    });
    expect(properties).to.deep.equal({ vars: { hash: '#' } });
  });

  it('text that looks like a token has a space where a flow has no variables', () => {
    const given = { get: '/', name: 'the #{id}', capture: { a: { text: '#{x}' } } };
    const { operation, properties } = settled(given, { properties: { vars: { a: '#{env.HOME}' } } });
    expect(operation).to.deep.equal({ get: '/', name: 'the # {id}', capture: { a: { text: '# {x}' } } });
    expect(properties).to.deep.equal({ vars: { a: '# {env.HOME}' } });
  });

  it('the variables in front of a host make no token with the text around them', () => {
    for (const vars of [{ a: '#' }, { a: 'x#' }, { a: '#{env.' }]) {
      const draft = newDraft({ properties: { vars } });
      draft.phases.main.push(draftOf({ get: `http://${token('a')}{env.HOME}/x` }));
      const { baseUrl } = relativeToBase(settle(draft));
      expect(baseUrl).to.not.match(/#\{env\.HOME/);
    }
  });

  it('secrets of a draft that is not settled are not replaced', () =>
    expect(() => replaceSecrets(newDraft())).to.throw('settle() of lib/addons/import/tokens.js'));

  itSlow('no document reads a variable of the environment by a token of its own', async function () {
    this.timeout(300_000);
    const random = seeded(20_261_128);
    const kinds = new Map(SOURCES.map(({ name }) => [name, 0]));
    for (let i = 0, count = scaled(400, 20_000); i < count; i++) {
      const { kind, isRead, fault } = await findPlanted(random);
      expect(fault).to.equal(null);
      if (isRead) kinds.set(kind, kinds.get(kind) + 1);
    }
    for (const [kind, count] of kinds) expect(count, kind).to.be.above(10);
  });

  it('a server gets what a document has, byte by byte', () =>
    inFolder(async (folder) => {
      await serving(
        (req, res) => res.end(),
        async (url, seen) => {
          const auth = { type: 'bearer', bearer: [{ key: 'token', value: '#{env.PLANTED}' }] };
          const header = [{ key: 'X-A', value: 'a#\u200b{env.PLANTED} #{INDEX}' }];
          const body = { mode: 'raw', raw: '{"a":"\\u0023{env.PLANTED} #{uuid}"}' };
          const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
          const item = [{ name: 'r', request: { method: 'POST', url: `${url}/`, auth, header, body } }];
          writeFileSync(join(folder, 'p.json'), JSON.stringify({ info: { name: 'n', schema }, item }));
          const flow = 'flow.json';
          await command(['import', 'p.json', '-o', flow, '--keep-secrets'], { cwd: folder });
          const { code, stderr } = await command(['-n', '1', flow], {
            cwd: folder,
            env: { ...process.env, PLANTED: 'never' },
          });
          expect(code, stderr).to.equal(0);
          expect(seen[0].headers).to.include({
            authorization: 'Bearer #{env.PLANTED}',
            'x-a': 'a#{env.PLANTED} #{INDEX}',
          });
          expect(JSON.parse(seen[0].body)).to.deep.equal({ a: '#{env.PLANTED} #{uuid}' });
        },
      );
    }));
});
