import { expect } from 'chai';
import fc from 'fast-check';

import { MAX_FLOW_BYTES, checkPacket, isUnsafeName, packFiles } from '../../../lib/shard/flow-packet.js';

const PACKET = {
  kind: 'data',
  name: 'flow.json',
  hash: 'x',
  source: { file: 'flow.json' },
  folder: '',
  files: [{ name: 'flow.json', encoding: 'utf8', content: '{}' }],
  disk: null,
};
const file = (name, content = '') => ({ name, encoding: 'utf8', content });

describe('shard/flow-packet', () => {
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
    it('returns a packet that is valid', () => {
      expect(checkPacket(PACKET)).to.equal(PACKET);
    });

    for (const [what, changed, reason] of [
      ['another kind', { kind: 'shell' }, /kind/],
      ['no name', { name: 5 }, /name/],
      ['no source', { source: {} }, /source/],
      ['a file and URLs', { source: { urls: [], file: 'a' } }, /source/],
      ['URLs as code', { kind: 'code', source: { urls: ['http://a/'] } }, /URL is no code/],
      ['files that are none', { files: [{ name: 'a' }] }, /files/],
      ['an encoding that is none', { files: [{ ...file('a'), encoding: 'hex' }] }, /files/],
      ['a file elsewhere', { files: [file('../a')] }, /"\.\.\/a" is not the name/],
      ['a source elsewhere', { source: { file: '/etc/passwd' } }, /not the name/],
      ['a folder elsewhere', { folder: '..' }, /not the name/],
      ['a digest elsewhere', { disk: [{ name: '../a', sha256: '0'.repeat(64) }] }, /not the name/],
      ['a digest that is none', { disk: [{ name: 'a', sha256: 'x' }] }, /disk/],
      ['no digests', { disk: [] }, /disk/],
      ['more bytes than allowed', { files: [file('a', 'x'.repeat(MAX_FLOW_BYTES + 1))] }, /more than 8388608 bytes/],
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
