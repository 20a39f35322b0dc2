import { expect } from 'chai';

import benchrest from '../../index.js';
import { MAX_JSON } from '../../lib/core/iteration/response-reader.js';
import { bodyMemoryInUse } from '../../lib/core/process/body-memory.js';
import { ok, serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';

const ONE = { limit: 1, iterations: 1 };
const MIB = 1024 * 1024;

/** The errors of an operation that captures from a body. */
const capturing = (capture, body, options) => {
  const answer = typeof body === 'function' ? body : (_, response) => response.end(body);
  return serving(answer, async (url) => {
    const { stats } = await benchrest(
      { main: [{ get: url, capture }, '/never'], baseUrl: url },
      { ...ONE, ...options },
    );
    return stats.errors.details.map(({ kind, code, message }) => ({ kind, code, message }));
  });
};

for (const httpClient of NAMES) {
  describe(`captures of faulty responses: ${httpClient}`, () => {
    const rows = [
      ['an empty body', '', { id: '$.id' }, 'received an empty body'],
      ['no body', (_, response) => response.writeHead(204).end(), { id: '$.id' }, 'received an empty body'],
      ['JSON that ends too early', '{"id":', { id: '$.id' }, 'which is not JSON'],
      ['bytes that are no text', Buffer.from([0xff, 0, 0x7b]), { id: '$.id' }, 'which is not JSON'],
      ['JSON that is nested a million times', '['.repeat(1_000_000), { id: '$.id' }, 'which is not JSON'],
      ['another type', '[{"id":1}]', { id: '$.id' }, '$.id finds nothing in [{"id":1}]'],
      ['a property of the prototype', '{}', { id: '$.constructor.name' }, '$.constructor.name finds nothing in {}'],
      ['the prototype', '{}', { id: '$.__proto__' }, '$.__proto__ finds nothing in {}'],
      ['no such header', '{}', { tag: { header: 'etag' } }, 'the response has no header "etag"'],
      ['no such cookie', '{}', { sid: { cookie: 'sid' } }, 'the response sets no cookie "sid"'],
    ];
    for (const [what, body, capture, message] of rows)
      it(`B40 ${what}: an error of kind capture`, async () => {
        const errors = await capturing(capture, body, { httpClient });
        expect(errors.map(({ kind, code }) => `${kind} ${code}`)).to.deep.equal(['capture E_CAPTURE']);
        expect(errors[0].message).to.include(message);
        expect(errors[0].message.length).to.be.below(500);
      });

    itSlow('B40 JSON beyond its limit, and a body beyond maxBodySize: errors that name the limits', async () => {
      const errors = await capturing({ id: '$.id' }, Buffer.alloc(MAX_JSON + 1, ' '), { httpClient });
      expect(errors[0].message).to.include(`read at most ${MAX_JSON}`);
      const [tooLarge] = await capturing({ id: '$.id' }, Buffer.alloc(2 * MIB, ' '), { httpClient, maxBodySize: MIB });
      expect(tooLarge).to.include({ code: 'E_BODY_TOO_LARGE' });
      expect(tooLarge.message).to.include(String(MIB));
      const [tooMuch] = await capturing({ id: '$.id' }, Buffer.alloc(2 * MIB, ' '), {
        httpClient,
        maxBodyMemory: 4 * MIB,
      });
      expect(tooMuch).to.include({ code: 'E_BODY_MEMORY' });
      expect(bodyMemoryInUse()).to.equal(0);
    });

    it('B40 secrets of a response are masked in errors', async () => {
      const [error] = await capturing({ id: '$.id' }, '{"token":"hunter2"}', { httpClient });
      expect(error.message).to.include('"token":"***"').and.not.include('hunter2');
    });
  });
}

describe('hostile paths and patterns of captures', () => {
  it('B41 a pattern that would keep RegExp busy for years matches in linear time', async () => {
    const errors = await capturing({ a: { text: /^(a+)+$/ } }, `${'a'.repeat(5000)}b`);
    expect(errors[0].message).to.include('/^(a+)+$/ matches nothing in "aaa');
  });

  for (const [capture, message] of [
    [{ a: { text: /(a)\1/ } }, 'capture.a.text: /(a)\\1/ has a lookahead, a lookbehind or a backreference'],
    [{ a: { text: '(a{1,100}){1,100}' } }, 'capture.a.text: (a{1,100}){1,100} is malformed'],
    [{ a: { text: 'a'.repeat(2000) } }, 'is longer than 1000 characters'],
    [{ a: `$${'[0]'.repeat(1000)}` }, 'is longer than 1000 characters'],
    [{ a: '$[?(((((((@.a' }, 'is malformed'],
  ])
    it(`B41 refused before the run: ${JSON.stringify(capture).slice(0, 40)}`, () =>
      expect(() => benchrest({ get: 'http://h/', capture }, ONE)).to.throw(message));

  it('B41 names of Object.prototype are names of variables like any other, and change no prototype', () =>
    serving(ok, async (url, seen) => {
      const capture = JSON.parse('{"__proto__":{"status":true},"toString":{"status":true}}');
      const main = [
        { get: url, capture },
        { post: url, json: { a: '#{__proto__}', b: '#{toString}' } },
      ];
      const { stats } = await benchrest({ main }, ONE);
      expect(stats.errors.details).to.deep.equal([]);
      expect(seen[1].body).to.equal('{"a":200,"b":200}');
      expect({}.a).to.equal(undefined);
      expect(String({})).to.equal('[object Object]');
    }));
});
