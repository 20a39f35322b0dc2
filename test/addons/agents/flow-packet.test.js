import { expect } from 'chai';

import { MAX_FLOW_BYTES, checkPacket, isUnsafeName, packFiles } from '../../../lib/addons/agents/flow-packet.js';
import fc from '../../support/fast-check.js';

const PACKET = {
  kind: 'data',
  name: 'flow.json',
  hash: 'x',
  source: { kind: 'file', file: 'flow.json' },
  folder: '',
  files: [{ name: 'flow.json', encoding: 'utf8', content: '{}' }],
  disk: null,
};
const file = (name, content = '') => ({ name, encoding: 'utf8', content });

describe('the packet of a flow', () => {
  describe('packFiles', () => {
    it('text travels as it is, and other bytes as base64', () => {
      const files = packFiles(
        new Map([
          ['a', Buffer.from('ä')],
          ['b', Buffer.from([255, 0])],
        ]),
      );
      expect(files).to.deep.equal([
        { name: 'a', encoding: 'utf8', content: 'ä' },
        { name: 'b', encoding: 'base64', content: '/wA=' },
      ]);
    });

    it('more than the limit is refused with the size, the limit and the largest file', () => {
      const files = new Map([
        ['small', Buffer.alloc(1)],
        ['rows.csv', Buffer.alloc(MAX_FLOW_BYTES)],
      ]);
      expect(() => packFiles(files))
        .to.throw(/has 8,388,609 bytes.*at most 8,388,608.*largest is rows\.csv \(8,388,608\)/)
        .with.property('code', 'E_FLOW_TOO_LARGE');
    });

    it('the limit itself is allowed', () => {
      expect(packFiles(new Map([['rows.csv', Buffer.alloc(MAX_FLOW_BYTES)]]))).to.have.length(1);
    });
  });

  describe('isUnsafeName', () => {
    for (const name of ['a', 'a/b.json', '-e.bundle.mjs', '.hidden', 'a..b', 'ä ö'])
      it(`${name} is a name`, () => expect(isUnsafeName(name)).to.equal(false));
    for (const name of [
      '',
      '/a',
      '../a',
      'a/../../b',
      'a//b',
      './a',
      'a/',
      'a\\..\\b',
      'C:a',
      'a\0',
      5,
      'x'.repeat(501),
    ])
      it(`${JSON.stringify(String(name).slice(0, 9))} leaves its folder, or is no name`, () =>
        expect(isUnsafeName(name)).to.equal(true));
  });

  describe('A15 checkPacket', () => {
    it('returns a copy of a packet that is valid', () => {
      expect(checkPacket(PACKET)).to.deep.equal(PACKET);
      expect(checkPacket(PACKET)).to.not.equal(PACKET);
      const source = { kind: 'urls', urls: ['http://a/'], request: { method: 'POST' } };
      expect(checkPacket({ ...PACKET, source }).source).to.deep.equal(source);
    });

    for (const [what, changed, reason] of [
      ['another kind', { kind: 'shell' }, /kind/],
      ['no name', { name: 5 }, /name/],
      ['no source', { source: {} }, /source/],
      [
        'a file and URLs',
        { source: { kind: 'urls', urls: ['http://a/'], file: 'a' } },
        /flow\.source\.file: unknown property/,
      ],
      ['no URLs', { source: { kind: 'urls', urls: [] } }, /flow\.source\.urls: expected 1 to/],
      ['a source without its kind', { source: { file: 'flow.json' } }, /flow\.source\.kind: expected urls or file/],
      ['URLs as code', { kind: 'code', source: { kind: 'urls', urls: ['http://a/'] } }, /URL is no code/],
      ['files that are none', { files: [{ name: 'a' }] }, /flow\.files\[0\]\.encoding/],
      ['an encoding that is none', { files: [{ ...file('a'), encoding: 'hex' }] }, /expected utf8 or base64/],
      ['a file elsewhere', { files: [file('../a')] }, /flow\.files\[0\]\.name: expected the name of a file/],
      [
        'a source elsewhere',
        { source: { kind: 'file', file: '/etc/passwd' } },
        /flow\.source\.file: expected the name/,
      ],
      ['a folder elsewhere', { folder: '..' }, /flow\.folder: expected the name of a folder/],
      ['a digest elsewhere', { disk: [{ name: '../a', sha256: '0'.repeat(64) }] }, /flow\.disk\[0\]\.name/],
      ['a digest that is none', { disk: [{ name: 'a', sha256: 'x' }] }, /expected a SHA-256/],
      ['no digests', { disk: [] }, /flow\.disk: expected 1 to/],
      ['more bytes than allowed', { files: [file('a', 'x'.repeat(MAX_FLOW_BYTES + 1))] }, /at most 8,388,608 bytes/],
      ...['evaluate', 'argument', 'bytes', 'from', 'recording', 'path'].map((name) => [
        `${name} beside URLs`,
        { source: { kind: 'urls', urls: ['http://a/'], [name]: 'x' } },
        new RegExp(`flow\\.source\\.${name}: unknown property`),
      ]),
      ['an unknown property', { extra: 1 }, /flow\.extra: unknown property/],
      [
        'an unknown property of a file',
        { files: [{ ...file('a'), mode: 0o777 }] },
        /flow\.files\[0\]\.mode: unknown property/,
      ],
      ['a property named __proto__', JSON.parse('{ "__proto__": {} , "x": 1 }'), /unknown property/],
    ])
      it(`refuses ${what}`, () => {
        expect(() => checkPacket({ ...PACKET, ...changed }))
          .to.throw(reason)
          .with.property('code', 'E_PACKET');
      });

    it('answers every value with a packet or E_PACKET', () => {
      const part = fc.oneof(fc.anything(), fc.constantFrom(...Object.values(PACKET)));
      const keys = Object.fromEntries(Object.keys(PACKET).map((key) => [key, part]));
      fc.assert(
        fc.property(fc.oneof(fc.anything(), fc.record(keys, { requiredKeys: [] })), (value) => {
          try {
            checkPacket(value);
          } catch (error) {
            expect(error.code).to.equal('E_PACKET');
          }
        }),
      );
    });
  });
});
