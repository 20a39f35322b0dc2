import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { expect } from 'chai';

import { HpackDecoder, KnownBlocks } from '../../../lib/addons/http2/hpack-decoder.js';
import { HpackEncoder } from '../../../lib/addons/http2/hpack-encoder.js';
import { decodeHuffman, encodeHuffman, huffmanLength } from '../../../lib/addons/http2/hpack-table.js';
import { seeded } from '../../support/random.js';
import { scaled } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

const hex = (text) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const decoderOf = (options) => new HpackDecoder({ maxListSize: 65536, maxFields: 1000, ...options });
const decode = (decoder, bytes) => decoder.decode(bytes, 0, bytes.length);
const fieldsOf = (decoder, text) => pairs(decode(decoder, hex(text)).fields);
const pairs = (fields) => fields.flatMap((name, i) => (i % 2 ? [] : [`${name}: ${fields[i + 1]}`]));
const failure = (act) => {
  try {
    act();
  } catch (error) {
    return error.code;
  }
  return null;
};

/** The block of a request. */
function blockOf(head, path = '/', own = null) {
  const out = Buffer.alloc(head.maxLength(path, own) + 3);
  return out.subarray(3, head.write(out, 3, path, own));
}

const PARTS = { method: 'GET', scheme: 'https', authority: 'a.example', fields: ['User-Agent', 'b', 'accept', '*/*'] };

describe('transport/h2/hpack, examples of RFC 7541', () => {
  const DATE_21 = 'date: Mon, 21 Oct 2013 20:13:21 GMT';
  const DATE_22 = 'date: Mon, 21 Oct 2013 20:13:22 GMT';
  const COOKIE = 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';
  const LOCATION = 'location: https://www.example.com';
  const REQUEST = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
  const REQUESTS = [
    REQUEST,
    [...REQUEST, 'cache-control: no-cache'],
    [':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com', 'custom-key: custom-value'],
  ];
  const RESPONSES = [
    [':status: 302', 'cache-control: private', DATE_21, LOCATION],
    [':status: 307', 'cache-control: private', DATE_21, LOCATION],
    [':status: 200', 'cache-control: private', DATE_22, LOCATION, 'content-encoding: gzip', COOKIE],
  ];
  for (const [section, maxTableSize, blocks, expected] of [
    [
      'C.2.1',
      4096,
      ['400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572'],
      [['custom-key: custom-header']],
    ],
    ['C.2.2', 4096, ['040c 2f73 616d 706c 652f 7061 7468'], [[':path: /sample/path']]],
    ['C.2.3', 4096, ['1008 7061 7373 776f 7264 0673 6563 7265 74'], [['password: secret']]],
    ['C.2.4', 4096, ['82'], [[':method: GET']]],
    [
      'C.3',
      4096,
      [
        '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '8286 84be 5808 6e6f 2d63 6163 6865',
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
      ],
      REQUESTS,
    ],
    [
      'C.4',
      4096,
      [
        '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
        '8286 84be 5886 a8eb 1064 9cbf',
        '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
      ],
      REQUESTS,
    ],
    [
      'C.5',
      256,
      [
        `4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 54
        6e17 6874 7470 733a 2f2f 7777 772e 6578 616d 706c 652e 636f 6d`.replaceAll('\n', ''),
        '4803 3330 37c1 c0bf',
        `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f
        6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b
        2076 6572 7369 6f6e 3d31`.replaceAll('\n', ''),
      ],
      RESPONSES,
    ],
    [
      'C.6',
      256,
      [
        `4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7
        8f0b 97c8 e9ae 82ae 43d3`.replaceAll('\n', ''),
        '4883 640e ffc1 c0bf',
        `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335
        dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`.replaceAll('\n', ''),
      ],
      RESPONSES,
    ],
  ])
    it(`${section} is decoded`, () => {
      const decoder = decoderOf({ maxTableSize });
      for (const [i, block] of blocks.entries())
        expect(fieldsOf(decoder, block), `block ${i}`).to.deep.equal(expected[i]);
    });

  it('texts of C.4 and C.6 have the same octets when encoded', () => {
    for (const [text, octets] of [
      ['www.example.com', 'f1e3 c2e5 f23a 6ba0 ab90 f4ff'],
      ['no-cache', 'a8eb 1064 9cbf'],
      ['custom-value', '25a8 49e9 5bb8 e8b4 bf'],
      ['302', '6402'],
      ['Mon, 21 Oct 2013 20:13:21 GMT', 'd07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff'],
    ])
      expect(Buffer.from(encodeHuffman(text)), text).to.deep.equal(hex(octets));
  });
});

describe('transport/h2/hpack, decoder', () => {
  it('blocks of another encoder, which changes the size of its table, are decoded', () => {
    const recording = new URL('../../support/recordings/hpack.json', import.meta.url);
    const decoder = decoderOf();
    for (const { octets, fields } of JSON.parse(readFileSync(recording, 'utf8')).blocks)
      expect(decode(decoder, hex(octets)).fields).to.deep.equal(fields);
  });

  const BIG_INTEGER = 'ffffffff ff0f';
  for (const [title, block, options] of [
    ['the index 0', '80'],
    ['an index beyond both tables', 'be'],
    ['an index beyond the dynamic table', '4001 6101 62 bf'],
    ['a name with an index beyond both tables', '7e01 61'],
    ['an index that is too large', BIG_INTEGER],
    ['an index of many octets that are 0', 'ff80 8080 8080 00'],
    ['an index without its end', 'ff80'],
    ['an index without its second octet', 'ff'],
    ['a literal without its name', '40'],
    ['a literal without its value', '4001 61'],
    ['a name that is cut', '4003 6161'],
    ['a value that is cut', '4001 6102 62'],
    ['the length of a text without its end', '4001 617f'],
    ['a length that is too large', `4001 617f ${BIG_INTEGER}`],
    ['a table larger than announced', '3fe2 1f'],
    ['a table larger than announced, of another size', '3f62', { maxTableSize: 128 }],
    ['a size update after a field', '82 20'],
    ['EOS in a text', '4001 6184 ffff fffc'],
    ['EOS in a text, and more', '4001 6186 ffff fffc 1c64'],
    ['padding that is not the beginning of EOS', '4001 6181 18'],
    ['padding of more than seven bits', '4001 6182 1fff'],
    ['padding of eight bits after a code', '4001 6182 f8ff'],
    ['a text of padding alone', '4001 6181 ff'],
  ])
    it(`${title} is an error`, () => {
      expect(failure(() => fieldsOf(decoderOf(options), block))).to.equal('E_HPACK');
    });

  it('empty names, values, blocks and tables are none', () => {
    expect(fieldsOf(decoderOf(), '')).to.deep.equal([]);
    expect(fieldsOf(decoderOf(), '4000 00 be')).to.deep.equal([': ', ': ']);
    expect(fieldsOf(decoderOf(), '4001 6180'), 'a text of no octets in the Huffman code').to.deep.equal(['a: ']);
    expect(fieldsOf(decoderOf(), '20 3fe1 1f 82'), 'two size updates').to.deep.equal([':method: GET']);
  });

  it('a size update evicts the oldest entries, and an entry larger than the table empties it', () => {
    const decoder = decoderOf();
    fieldsOf(decoder, '4001 6101 31 4001 6201 32');
    expect(fieldsOf(decoder, '3f03 be')).to.deep.equal(['b: 2']);
    expect(
      failure(() => fieldsOf(decoder, 'bf')),
      'a was evicted',
    ).to.equal('E_HPACK');
    expect(fieldsOf(decoder, `4001 6114 ${'61'.repeat(20)}`)).to.deep.equal([`a: ${'a'.repeat(20)}`]);
    expect(failure(() => fieldsOf(decoder, 'be'))).to.equal('E_HPACK');
  });

  it('an entry whose name is that of the entry which it evicts keeps it', () => {
    const decoder = decoderOf({ maxTableSize: 34 });
    fieldsOf(decoder, '4001 6101 31');
    expect(fieldsOf(decoder, '7e01 32 be')).to.deep.equal(['a: 2', 'a: 2']);
  });

  it('an equal block is the same object while it means the same', () => {
    const decoder = decoderOf();
    const first = decode(decoder, hex('88 4001 6101 31'));
    expect(decode(decoder, hex('88 4001 6101 31')), 'without references').to.equal(first);
    expect(fieldsOf(decoder, 'be bf'), 'it was added twice').to.deep.equal(['a: 1', 'a: 1']);
    const reference = decode(decoder, hex('88 be'));
    expect(decode(decoder, hex('88 be')), 'a reference to the same table').to.equal(reference);
    expect(fieldsOf(decoder, '4001 6201 32')).to.deep.equal(['b: 2']);
    expect(fieldsOf(decoder, '88 be'), 'to another table').to.deep.equal([':status: 200', 'b: 2']);
    expect(fieldsOf(decoder, 'be 4001 6301 33')).to.deep.equal(['b: 2', 'c: 3']);
    expect(fieldsOf(decoder, 'be 4001 6301 33'), 'a block that changes what it refers to').to.deep.equal([
      'c: 3',
      'c: 3',
    ]);
  });

  it('connections share blocks that refer to no table, and each of them changes its own table', () => {
    const knownBlocks = new KnownBlocks();
    const decoders = [1, 2].map(() => new HpackDecoder({ maxListSize: 65536, maxFields: 1000 }, knownBlocks));
    const [first, second] = decoders.map((decoder) => decode(decoder, hex('88 4001 6101 31')));
    expect(second).to.equal(first);
    for (const decoder of decoders) expect(fieldsOf(decoder, 'be')).to.deep.equal(['a: 1']);
    expect(fieldsOf(decoders[0], '4001 6201 32')).to.deep.equal(['b: 2']);
    expect(decoders.map((decoder) => fieldsOf(decoder, 'be'))).to.deep.equal([['b: 2'], ['a: 1']]);
  });

  itSlow('blocks that are repeated leave the table that they leave if each of them is decoded', () => {
    const random = seeded(7541);
    const field = (letter, size) =>
      Buffer.concat([hex('4001'), Buffer.from(letter), Buffer.of(size), Buffer.alloc(size, letter)]);
    // Entries of 34 and of 133 bytes: a table of 100 bytes has no room for the larger ones.
    const blocks = [hex('88'), field('a', 1), field('b', 100), hex('be'), hex('be bf'), hex('c0')];
    blocks.push(Buffer.concat([field('c', 1), field('d', 1)]), Buffer.concat([field('e', 100), field('f', 1)]));
    blocks.push(Buffer.concat([hex('be'), field('g', 1)]));
    const neverFinds = Object.assign(new KnownBlocks(), { find: () => null });
    for (let i = 0; i < scaled(100, 500); i++) {
      const limits = { maxTableSize: random.pick([0, 34, 100, 150, 300, 4096]), maxListSize: 65536, maxFields: 1000 };
      const decoders = [new HpackDecoder(limits), new HpackDecoder(limits, neverFinds)];
      for (let j = 0; j < 20; j++) {
        const block = random.pick(blocks);
        for (let times = random.pick([1, 1, 2, 3, 200]); times > 0; times--) {
          const [ours, theirs] = decoders.map((decoder) => {
            try {
              return decode(decoder, block).fields;
            } catch ({ code }) {
              return code;
            }
          });
          // chai compares a hundred thousand in seconds
          if (!isDeepStrictEqual(ours, theirs)) expect(ours).to.deep.equal(theirs);
        }
      }
    }
  });

  it('a compression bomb costs no more than its octets, and the blocks after it are decoded', () => {
    const decoder = decoderOf({ maxListSize: 20_000, maxFields: 100 });
    const large = Buffer.concat([hex('4001 617f 810e'), Buffer.alloc(1920, 'x')]);
    expect(decode(decoder, large).fields).to.have.lengthOf(2);
    const bomb = decode(decoder, Buffer.alloc(16_384, 0xbe));
    expect(bomb.refusal).to.equal('E_HEADERS_TOO_LARGE');
    expect(bomb.fields.length).to.be.lessThan(30);
    expect(bomb.size).to.equal(16_384 * (1 + 1920 + 32));
    const many = decode(decoder, Buffer.concat([Buffer.alloc(101, 0x82), hex('4001 6201 32')]));
    expect([many.refusal, many.fields.length]).to.deep.equal(['E_TOO_MANY_FIELDS', 200]);
    expect(fieldsOf(decoder, 'be'), 'what was over the limit is in the table').to.deep.equal(['b: 2']);
  });

  it('every beginning of a block is decoded or refused, and bytes after it are not read', () => {
    const block = hex('8841 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff 1008 7061 7373 776f 7264 0673 6563 7265 74 be');
    const whole = decode(decoderOf(), block).fields;
    for (let to = 0; to < block.length; to++) {
      const decoder = decoderOf();
      let fields = null;
      const code = failure(() => ({ fields } = decoder.decode(block, 0, to)));
      expect(code === 'E_HPACK' || whole.join().startsWith(fields.join()), `${to} octets`).to.equal(true);
    }
  });
});

describe('transport/h2/hpack, Huffman code', () => {
  it('every octet and every pair of octets comes back', () => {
    for (let i = 0; i < 256 * 256; i += scaled(7, 3)) {
      const text = String.fromCharCode(i >> 8, i & 0xff);
      const octets = Buffer.from(encodeHuffman(text));
      if (octets.length !== huffmanLength(text)) throw new Error(`length of ${i}`);
      if (decodeHuffman(octets, 0, octets.length) !== text) throw new Error(`${i}`);
    }
  });

  it('long texts of the longest and the shortest codes come back', () => {
    for (const char of ['\n', '0', '\xff']) {
      const text = char.repeat(5000);
      const octets = Buffer.concat([Buffer.of(1), Buffer.from(encodeHuffman(text))]);
      expect(decodeHuffman(octets, 1, octets.length) === text).to.equal(true);
    }
  });
});

describe('transport/h2/hpack, encoder', () => {
  it('the first request adds what all share to the table, and later ones refer to it', () => {
    const head = new HpackEncoder().prepare(PARTS);
    const decoder = decoderOf();
    const expected = (path) => [
      ':method: GET',
      ':scheme: https',
      ':authority: a.example',
      `:path: ${path}`,
      'user-agent: b',
      'accept: */*',
    ];
    expect(pairs(decode(decoder, blockOf(head, '/1')).fields)).to.deep.equal(expected('/1'));
    const later = blockOf(head, '/2');
    expect(later).to.have.lengthOf(2 + 1 + 4 + 2);
    expect(pairs(decode(decoder, later).fields)).to.deep.equal(expected('/2'));
    expect(blockOf(head, '/'), 'a path of the static table').to.have.lengthOf(6);
    expect(blockOf(head, '/index.html')).to.have.lengthOf(6);
  });

  it('secrets are never indexed, and neither are fields of one request', () => {
    const secrets = ['Authorization', 'Bearer abcdef', 'cookie', 'a=b', 'X-Api-Key', 'k', 'x', 'Basic dXNlcjpwYXNz'];
    const head = new HpackEncoder().prepare({ ...PARTS, fields: secrets });
    const decoder = decoderOf();
    decode(decoder, blockOf(head));
    const block = blockOf(head, '/', ['Cookie', 's=1', 'X-Own', 'y']);
    expect(pairs(decode(decoder, block).fields).slice(4)).to.deep.equal([
      ...pairs(secrets.map((text, i) => (i % 2 ? text : text.toLowerCase()))),
      'cookie: s=1',
      'x-own: y',
    ]);
    // 0x10: RFC 7541 6.2.3
    expect(block.subarray(4, 6), 'authorization, static index 23').to.deep.equal(hex('1f08'));
    expect(block.includes(hex('1f11')), 'cookie, static index 32').to.equal(true);
    expect(block.subarray(-9), 'a name of its own').to.deep.equal(hex('1005 782d 6f77 6e01 79'));
  });

  it('several operations share a table, nothing is evicted, and what has no room is sent as it is', () => {
    const encoder = new HpackEncoder();
    const decoder = decoderOf();
    const heads = Array.from({ length: 12 }, (_, i) =>
      encoder.prepare({ ...PARTS, fields: [`x-${i}`, `${i}`.repeat(500), ...PARTS.fields] }),
    );
    for (let round = 0; round < 3; round++)
      for (const [i, head] of heads.entries()) {
        const { fields } = decode(decoder, blockOf(head, `/${i}`));
        expect(fields.slice(6), `${round}, ${i}`).to.deep.equal([
          ...[':path', `/${i}`, `x-${i}`, `${i}`.repeat(500)],
          ...['user-agent', 'b', 'accept', '*/*'],
        ]);
      }
    expect(blockOf(heads[0], '/').length, 'in the table').to.be.lessThan(10);
    expect(blockOf(heads[11], '/').length, 'not in the table').to.be.greaterThan(400);
  });

  it('the size of the table is what the peer allows, from the next block on', () => {
    for (const sizes of [[0], [100], [0, 4096], [100, 50, 4096], [65_536], [4096]]) {
      const encoder = new HpackEncoder();
      const head = encoder.prepare(PARTS);
      const decoder = decoderOf();
      const whole = pairs(decode(decoder, blockOf(head)).fields);
      for (const size of sizes) encoder.setMaxTableSize(size);
      for (let i = 0; i < 3; i++) {
        const { fields } = decode(decoder, blockOf(head));
        expect(pairs(fields), `${sizes}, block ${i}`).to.deep.equal(whole);
      }
    }
  });

  it('integers and texts of any length are written', () => {
    const decoder = decoderOf();
    const head = new HpackEncoder().prepare(PARTS);
    for (const length of [1, 99, 100, 101, 126, 127, 128, 254, 255, 16_383, 20_000]) {
      const path = `/${'é'.repeat(length - 1)}`;
      const { fields } = decode(decoder, blockOf(head, path, ['a', path]));
      expect(fields[7] === path && fields.at(-1) === path, `${length}`).to.equal(true);
    }
  });
});

describe('transport/h2/hpack, at random', () => {
  it('blocks of the encoder are decoded, with any table sizes', () => {
    const random = seeded(20_261_126);
    const text = (most) =>
      Array.from({ length: random.below(most) }, () => String.fromCharCode(random.below(256))).join('');
    for (let round = 0; round < scaled(30, 200); round++) {
      const encoder = new HpackEncoder();
      const decoder = decoderOf();
      const fields = () =>
        Array.from({ length: 2 * random.below(8) }, (_, i) => (i % 2 ? text(60) : `n${random.below(9)}`));
      const heads = Array.from({ length: 4 }, () => {
        const parts = { ...PARTS, authority: text(20), fields: fields() };
        return { parts, head: encoder.prepare(parts) };
      });
      for (let i = 0; i < 30; i++) {
        if (random.below(8) === 0) encoder.setMaxTableSize(random.pick([0, 40, 100, 300, 4096, 10_000]));
        const { parts, head } = random.pick(heads);
        const [path, own] = [`/${text(random.pick([3, 300]))}`, random.pick([null, fields()])];
        const { fields: read } = decode(decoder, blockOf(head, path, own));
        const expected = [':method', 'GET', ':scheme', 'https', ':authority', parts.authority, ':path', path];
        expect(read, `${round}, ${i}`).to.deep.equal([...expected, ...parts.fields, ...(own ?? [])]);
      }
    }
  });

  it('changed blocks are decoded or refused, alone as in one block with all before them', () => {
    const random = seeded(7541);
    const blocks = ['88 4001 6101 31', '88 be', '4882 6402 5885 aec3 771a 4b', 'be bf', '1001 6101 62', 'be'].map(hex);
    for (let round = 0; round < scaled(200, 2000); round++) {
      const decoder = decoderOf();
      const sent = [];
      const all = [];
      for (let i = 0; i < 12; i++) {
        const block = Buffer.from(random.pick(blocks));
        if (random.below(6) === 0) block[random.below(block.length)] = random.below(256);
        // It is an error within a block.
        if ((block[0] & 0xe0) === 0x20) continue;
        sent.push(block);
        const code = failure(() => all.push(...decode(decoder, block).fields));
        let fields = null;
        const whole = failure(() => ({ fields } = decode(decoderOf(), Buffer.concat(sent))));
        expect([code, whole], `${round}, ${i}`).to.be.deep.oneOf([
          [null, null],
          ['E_HPACK', 'E_HPACK'],
        ]);
        if (code !== null) break;
        expect(fields).to.deep.equal(all);
      }
    }
  });
});
