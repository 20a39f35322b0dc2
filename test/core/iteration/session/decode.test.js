import zlib from 'node:zlib';

import { expect } from 'chai';

import middleware, { decode, decodeBeginning } from '../../../../lib/core/iteration/session/decode.js';

const TEXT = Buffer.from('hello hello hello');
const LIMIT = 1_000_000;
const result = (body, coding, limit = LIMIT) => decode(body, coding, limit).then(String, ({ code }) => code);

describe('iteration/session/decode', () => {
  const rows = [
    ['gzip', zlib.gzipSync(TEXT), 'gzip', String(TEXT)],
    ['x-gzip is decoded as gzip', zlib.gzipSync(TEXT), 'x-gzip', String(TEXT)],
    ['case and spaces are ignored', zlib.gzipSync(TEXT), ' GZIP ', String(TEXT)],
    ['gzip may have two members', Buffer.concat([zlib.gzipSync(TEXT), zlib.gzipSync('!')]), 'gzip', `${TEXT}!`],
    ['deflate with its zlib wrapper is decoded', zlib.deflateSync(TEXT), 'deflate', String(TEXT)],
    [
      'deflate without its zlib wrapper is decoded, as some servers send it',
      zlib.deflateRawSync(TEXT),
      'deflate',
      String(TEXT),
    ],
    ['br', zlib.brotliCompressSync(TEXT), 'br', String(TEXT)],
    [
      'several codings are decoded, the last applied first',
      zlib.brotliCompressSync(zlib.gzipSync(TEXT)),
      'gzip, br',
      String(TEXT),
    ],
    ['an unknown coding is not decoded', TEXT, 'foo', String(TEXT)],
    ['a name of Object.prototype is not a coding', TEXT, 'constructor', String(TEXT)],
    ['an empty body stays empty', Buffer.alloc(0), 'gzip', ''],
    ['a body that is not gzip is an error', TEXT, 'gzip', 'E_DECODE'],
    ['truncated gzip is an error', zlib.gzipSync(TEXT).subarray(0, 20), 'gzip', 'E_DECODE'],
    [
      'a wrong checksum is an error',
      Buffer.concat([zlib.gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8)]),
      'gzip',
      'E_DECODE',
    ],
    ['a body that is not deflate is an error', Buffer.from('\xff\xff\xff', 'latin1'), 'deflate', 'E_DECODE'],
    ['six codings are an error', TEXT, 'gzip, gzip, gzip, gzip, gzip, gzip', 'E_ENCODING_CHAIN'],
  ];
  for (const [what, body, coding, expected] of rows)
    it(what, async () => expect(await result(body, coding)).to.equal(expected));

  it('truncated zstd is an error', async function () {
    if (!zlib.zstdCompressSync) this.skip();
    const params = { [zlib.constants.ZSTD_c_checksumFlag]: 1 };
    for (const whole of [
      zlib.zstdCompressSync(TEXT, { params }),
      zlib.zstdCompressSync(Buffer.alloc(300_000)),
      zlib.zstdCompressSync(Buffer.from(Array.from({ length: 20_000 }, (_, i) => i * 7919).join())),
    ]) {
      expect(await result(whole, 'zstd')).to.not.equal('E_DECODE');
      for (const cut of [4, 5, whole.length >> 1, whole.length - 1])
        expect(await result(whole.subarray(0, cut), 'zstd'), `${cut} of ${whole.length}`).to.equal('E_DECODE');
    }
  });

  it('a part of an encoded body is not decoded, but a range of the whole is', async () => {
    const whole = zlib.gzipSync(TEXT);
    const bodyOf = async (body, range) => {
      const response = { statusCode: 206, contentEncoding: 'gzip', headers: { 'content-range': range }, body };
      await middleware.after({}, response, { next: null, run: { maxBodySize: LIMIT } });
      return response.body;
    };
    const half = whole.subarray(0, 20);
    expect(await bodyOf(half, `bytes 0-19/${whole.length}`)).to.equal(half);
    expect(await bodyOf(whole, undefined)).to.equal(whole);
    expect(await bodyOf(whole, `bytes 0-${whole.length - 1}/${whole.length}`)).to.deep.equal(TEXT);
  });

  describe('decodeBeginning', () => {
    const long = Buffer.from(Array.from({ length: 5000 }, (_, i) => `line ${i * 7919}\n`).join(''));
    const compress = [
      ['gzip', zlib.gzipSync],
      ['deflate', zlib.deflateSync],
      ['deflate', zlib.deflateRawSync],
      ['br', zlib.brotliCompressSync],
      ['zstd', zlib.zstdCompressSync],
    ].filter(([, encode]) => encode);
    for (const [coding, encode] of compress)
      it(`decodes ${coding} (${encode.name}), whole or cut off`, () => {
        expect(decodeBeginning(encode(TEXT), coding)).to.deep.equal(TEXT);
        const cut = encode(long).subarray(0, 3000);
        const beginning = decodeBeginning(cut, coding);
        // its first block is not complete
        if (coding === 'zstd') return expect(beginning).to.equal(cut);
        expect(beginning.length).to.be.above(3000);
        return expect(beginning).to.deep.equal(long.subarray(0, beginning.length));
      });

    it('bytes that cannot be decoded stay as they are', () => {
      const bomb = zlib.gzipSync(Buffer.alloc(3_000_000));
      const six = Array(6).fill('gzip').join();
      for (const [bytes, coding] of [
        [TEXT, 'gzip'],
        [TEXT, 'foo'],
        [TEXT, 'constructor'],
        [TEXT, ''],
        [Buffer.alloc(0), 'gzip'],
        [bomb, 'gzip'],
        [zlib.gzipSync(TEXT), six],
      ])
        expect(decodeBeginning(bytes, coding), coding).to.equal(bytes);
    });

    it('decodes the last of several codings first', () =>
      expect(decodeBeginning(zlib.brotliCompressSync(zlib.gzipSync(TEXT)), 'gzip, br')).to.deep.equal(TEXT));
  });

  const bombs = [
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    // the best compression takes half a second
    ['br', (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
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
