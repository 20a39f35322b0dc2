import zlib from 'node:zlib';

import { expect } from 'chai';

import { decode } from '../../../../lib/iteration/session/decode.js';

const TEXT = Buffer.from('hello hello hello');
const LIMIT = 1_000_000;
const result = (body, coding, limit = LIMIT) => decode(body, coding, limit).then(String, ({ code }) => code);

describe('iteration/session/decode', () => {
  const rows = [
    ['gzip', zlib.gzipSync(TEXT), 'gzip', String(TEXT)],
    ['the old name of gzip', zlib.gzipSync(TEXT), 'x-gzip', String(TEXT)],
    ['other letters and spaces', zlib.gzipSync(TEXT), ' GZIP ', String(TEXT)],
    ['two members', Buffer.concat([zlib.gzipSync(TEXT), zlib.gzipSync('!')]), 'gzip', `${TEXT}!`],
    ['deflate with its zlib wrapper', zlib.deflateSync(TEXT), 'deflate', String(TEXT)],
    ['deflate without it, as some servers send', zlib.deflateRawSync(TEXT), 'deflate', String(TEXT)],
    ['br', zlib.brotliCompressSync(TEXT), 'br', String(TEXT)],
    ['several codings, the last applied first', zlib.brotliCompressSync(zlib.gzipSync(TEXT)), 'gzip, br', String(TEXT)],
    ['a coding that nobody knows stays as it is', TEXT, 'foo', String(TEXT)],
    ['a name of Object.prototype is no coding', TEXT, 'constructor', String(TEXT)],
    ['nothing is nothing', Buffer.alloc(0), 'gzip', ''],
    ['what is no gzip', TEXT, 'gzip', 'E_DECODE'],
    ['a gzip that was cut', zlib.gzipSync(TEXT).subarray(0, 20), 'gzip', 'E_DECODE'],
    ['a wrong checksum', Buffer.concat([zlib.gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8)]), 'gzip', 'E_DECODE'],
    ['what is no deflate of either kind', Buffer.from('\xff\xff\xff', 'latin1'), 'deflate', 'E_DECODE'],
    ['six codings', TEXT, 'gzip, gzip, gzip, gzip, gzip, gzip', 'E_ENCODING_CHAIN'],
  ];
  for (const [what, body, coding, expected] of rows)
    it(what, async () => expect(await result(body, coding)).to.equal(expected));

  const bombs = [
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ];
  for (const [coding, compress] of bombs) {
    if (!compress) continue;
    it(`a ${coding} bomb ends at the limit of decoded bytes`, async () => {
      const bomb = compress(Buffer.alloc(20_000_000));
      expect(bomb.length).to.be.below(100_000);
      expect(await result(bomb, coding)).to.equal('E_DECODED_TOO_LARGE');
      expect(await result(compress(TEXT), coding, TEXT.length)).to.equal(String(TEXT));
    });
  }
});
