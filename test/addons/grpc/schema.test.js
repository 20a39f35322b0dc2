import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { refuseMessage } from '../../../lib/addons/grpc/schema/check-message.js';
import { detailsIn } from '../../../lib/addons/grpc/schema/details.js';
import { decoderOf, encoderOf } from '../../../lib/addons/grpc/schema/json-mapping.js';
import { methodNamed, readProtos } from '../../../lib/addons/grpc/schema/protos.js';
import { descriptorsOf } from '../../support/grpc/descriptors.js';
import { PROTO } from '../../support/grpc/server.js';
import { inFolder } from '../../support/in-folder.js';

const create = methodNamed(readProtos([PROTO], {}), 'shop.Orders/Create');

describe('gRPC: files of types', () => {
  it('a method has its types, and whether its messages are streams', () => {
    const root = readProtos([PROTO], {});
    const streams = (name) => {
      const { sendsStream, answersStream } = methodNamed(root, `shop.Orders/${name}`);
      return [sendsStream, answersStream];
    };
    expect(['Create', 'Watch', 'Upload', 'Talk'].map(streams)).to.deep.equal([
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ]);
    expect(create.request.fullName).to.equal('.shop.CreateRequest');
  });

  for (const [name, reason] of [
    ['shop.Orders/Craete', 'shop.Orders has no method Craete, did you mean Create?'],
    ['shop.Order/Create', 'there is no service shop.Order, did you mean shop.Orders?'],
    ['shop.Orders/toString', 'shop.Orders has no method toString: use Create, Watch, Upload, Talk'],
  ])
    it(`${name} is no method`, () => expect(methodNamed(readProtos([PROTO], {}), name)).to.equal(reason));

  it('a method is also named with a point', () =>
    expect(methodNamed(readProtos([PROTO], {}), 'shop.Orders.Create').path).to.equal('shop.Orders/Create'));

  it('imports are found beside the file, in the folders of include, and among those of Google', () =>
    inFolder((folder) => {
      mkdirSync(join(folder, 'api'));
      mkdirSync(join(folder, 'types'));
      const write = (name, text) => writeFileSync(join(folder, name), `syntax = "proto3";\n${text}`);
      write('types/money.proto', 'package t; message Money { int64 cents = 1; }');
      write('api/item.proto', 'package t; message Item { string id = 1; }');
      write(
        'api/shop.proto',
        `package t; import "money.proto"; import "item.proto"; import "google/protobuf/empty.proto";
        message Bill { Money sum = 1; repeated Item items = 2; }
        service Shop { rpc Pay(Bill) returns (google.protobuf.Empty); }`,
      );
      const root = readProtos(['api/shop.proto'], { folder, include: ['types'] });
      expect(methodNamed(root, 't.Shop/Pay').response.fullName).to.equal('.google.protobuf.Empty');
      expect(() => readProtos(['api/shop.proto'], { folder })).to.throw(
        /money\.proto is imported by .*shop\.proto, and does not exist in .*; name its folder: proto: \{ file, include \}/,
      );
    }));

  it('an import is data: it leads out of the package of types nowhere, and runs nothing', () =>
    inFolder((folder) => {
      const text = (name) => `syntax = "proto3"; import "${name}"; message A {}`;
      for (const name of ['google/../index.js', 'google/../../../../a.js', 'toString']) {
        writeFileSync(join(folder, 'a.proto'), text(name));
        writeFileSync(join(folder, 'a.js'), 'throw new Error("run")');
        expect(() => readProtos(['a.proto'], { folder }), name).to.throw(/is imported by .*, and does not exist/);
      }
    }));

  it('a file that is named and imported is read once', () =>
    inFolder((folder) => {
      writeFileSync(join(folder, 'c.proto'), 'syntax = "proto3"; package p; message C {}');
      writeFileSync(
        join(folder, 'm.proto'),
        'syntax = "proto3"; package p; import "./c.proto"; message M { C c = 1; }',
      );
      for (const files of [
        ['m.proto', 'c.proto'],
        ['c.proto', 'm.proto'],
      ])
        expect(readProtos(files, { folder }).lookupType('p.M').fieldsArray).to.have.lengthOf(1);
    }));

  it('a fault has its file and line', () =>
    inFolder((folder) => {
      writeFileSync(join(folder, 'a.proto'), 'syntax = "proto3";\nmessage A {\n  strin id = ;\n}\n');
      expect(() => readProtos(['a.proto'], { folder })).to.throw(/a\.proto, line 3/);
    }));
});

describe('gRPC: messages as JSON', () => {
  const roundTrip = (type, value) => decoderOf(type)(encoderOf(type)(value));

  it('fields have one of their names, and values as ProtoJSON has them', () => {
    const message = roundTrip(create.request, {
      user: 'ann',
      big: '9007199254740993',
      raw: 'aGk=',
      items: [{ sku: 'A1', kind: 'BOOK' }, { count: 2 }],
      at: '2026-01-31T12:00:00.5Z',
      wait: '-1.5s',
      note: 'hi',
      extra: { a: [1, 'x', null, { b: true }] },
      tags: { a: 1 },
      cash_box: 'k',
    });
    expect(message).to.deep.equal({
      user: 'ann',
      big: '9007199254740993',
      raw: 'aGk=',
      items: [
        { sku: 'A1', count: 0, kind: 'BOOK' },
        { sku: '', count: 2, kind: 'NONE' },
      ],
      at: '2026-01-31T12:00:00.500Z',
      wait: '-1.500s',
      note: 'hi',
      extra: { a: [1, 'x', null, { b: true }] },
      tags: { a: 1 },
      cashBox: 'k',
    });
  });

  it('types within types are converted, and what is missing has the value of its type', () => {
    const { response } = create;
    expect(roundTrip(response, { request: { wait: '2s' }, createdAt: '1969-12-31T23:59:59Z' })).to.deep.include({
      id: '',
      createdAt: '1969-12-31T23:59:59Z',
    });
    expect(roundTrip(response, {})).to.deep.equal({ id: '', request: null, createdAt: null });
  });

  it('fields have the names of JSON in responses, by file and by descriptors, and either name in messages', () =>
    inFolder((folder) => {
      const [proto, set] = [join(folder, 'a.proto'), join(folder, 'a.bin')];
      writeFileSync(
        proto,
        `syntax = "proto3"; message A { string a_b_1 = 1; string own = 2 [json_name = "itsOwn"]; A in_it = 3; oneof o { int32 o_o = 4; } map<string, A> by_name = 5; }
        service S { rpc M(A) returns (A); }`,
      );
      writeFileSync(set, descriptorsOf(proto));
      const written = { a_b_1: 'x', own: 'y', in_it: { a_b_1: 'z' }, o_o: 1, by_name: { it: { own: 'v' } } };
      const expected = { aB1: 'x', itsOwn: 'y', inIt: { aB1: 'z' }, oO: 1, byName: { it: { itsOwn: 'v' } } };
      for (const file of [proto, set]) {
        const { request } = methodNamed(readProtos([file], {}), 'S/M');
        for (const value of [written, expected]) {
          expect(refuseMessage(value, request)).to.deep.equal([]);
          const { inIt, byName, ...rest } = roundTrip(request, value);
          expect(rest).to.deep.equal({ aB1: 'x', itsOwn: 'y', oO: 1 });
          expect([inIt.aB1, byName.it.itsOwn]).to.deep.equal(['z', 'v']);
        }
        expect(refuseMessage({ a_b_2: 1 }, request)[0].reason).to.match(/did you mean a_b_1\?/);
      }
    }));

  it('types of Google are the same by descriptors', () =>
    inFolder((folder) => {
      writeFileSync(join(folder, 'shop.bin'), descriptorsOf(PROTO));
      const { request } = methodNamed(readProtos(['shop.bin'], { folder }), 'shop.Orders/Create');
      const value = { extra: { a: [1, null, { b: 'x' }] }, note: 'hi', wait: '1.500s', at: '2026-01-31T12:00:00Z' };
      expect(roundTrip(request, value)).to.deep.include(value);
    }));

  it('a Buffer of a flow is bytes', () => {
    const json = JSON.parse(JSON.stringify({ raw: Buffer.from('hi') }));
    expect(roundTrip(create.request, json).raw).to.equal('aGk=');
  });

  it('details of a status are read', () => {
    const { fields } = { fields: 'CAUSGAopdHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBj' };
    expect(detailsIn(fields)).to.have.lengthOf(1);
    expect(detailsIn(undefined)).to.deep.equal([]);
  });
});

describe('gRPC: a message is checked before the run', () => {
  const refused = (message) => refuseMessage(message, create.request).map(({ at, reason }) => `${at} ${reason}`);
  for (const [what, message, expected] of [
    [
      'a text for a number',
      { items: [{ count: 'x' }] },
      '.items[0].count expected a whole number from -2147483648 to 2147483647 (int32), got "x"',
    ],
    ['an unknown field', { itms: [] }, '.itms shop.CreateRequest has no such field, did you mean items?'],
    [
      'an unknown member',
      { items: [{ kind: 'BUCH' }] },
      '.items[0].kind expected one of NONE, BOOK (Kind), got "BUCH"',
    ],
    ['one in place of a list', { items: {} }, '.items expected a list, got {}'],
    ['a list in place of one', { user: ['a'] }, '.user expected a text (string), got ["a"]'],
    [
      'a number beyond 32 bits',
      { items: [{ count: 4294967297 }] },
      /count expected a whole number from .* got 4294967297$/,
    ],
    [
      'a number that is not exact',
      { big: 2 ** 53 },
      /^\.big expected a whole number, or its digits as a text \(int64\)/,
    ],
    ['bytes that JSON cannot have', { raw: new Uint8Array(2) }, /^\.raw expected a Buffer/],
    ['a wrong time', { at: 'now' }, /^\.at expected a time such as '2026-01-31T12:00:00Z'/],
    [
      'a wrong value of a map',
      { tags: { a: 'q' } },
      '.tags.a expected a whole number from -2147483648 to 2147483647 (int32), got "q"',
    ],
    ['a text', 'ann', ' expected an object (shop.CreateRequest), got "ann"'],
  ])
    it(`${what} is refused with its place`, () => {
      const [first, ...others] = refused(message);
      expect(others).to.deep.equal([]);
      if (expected instanceof RegExp) expect(first).to.match(expected);
      else expect(first).to.equal(expected);
    });

  it('tokens, functions, null and numbers as texts may be anywhere', () =>
    expect(
      refused({ user: null, items: [{ count: '#{INDEX}' }], big: '5', tags: '#{row}', at: () => 1, note: 'n' }),
    ).to.deep.equal([]));
});
