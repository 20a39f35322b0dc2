import { expect } from 'chai';

import { checkFields } from '../../../lib/addons/http2/head.js';

const OK = [':status', '200'];

describe('the head of a request over HTTP/2', () => {
  for (const [title, fields, reason, isTrailer = false] of [
    ['a status alone', OK, null],
    ['fields after it', [...OK, 'a', 'b', 'x-_~1', '', 'c', 'd\te \xff'], null],
    ['trailers', ['grpc-status', '0'], null, true],
    ['no trailers', [], null, true],
    ['te: trailers', [...OK, 'te', 'trailers'], null],
    ['no status', ['a', 'b'], 'no :status'],
    ['no fields', [], 'no :status'],
    ['two statuses', [...OK, ...OK], 'a second :status'],
    ['a status after a field', ['a', 'b', ...OK], 'a misplaced :status'],
    ['a status in trailers', OK, 'a misplaced :status', true],
    ['a pseudo-field of requests', [...OK, ':path', '/'], "the pseudo-field ':path'"],
    ['an unknown pseudo-field', [':x\n', ''], "the pseudo-field ':x\\x0a'"],
    ...['', '20', '2000', '099', '2x0', ' 200', '+20'].map((status) => [
      `the status '${status}'`,
      [':status', status],
      `:status '${status}'`,
    ]),
    ['an upper-case name', [...OK, 'Server', 'x'], "the field name 'Server'"],
    ['an empty name', [...OK, '', 'x'], "the field name ''"],
    ['a name with a space', [...OK, 'a b', 'x'], "the field name 'a b'"],
    ['a name with a colon', [...OK, 'a:', 'x'], "the field name 'a:'"],
    ['a name beyond ASCII', [...OK, 'é', 'x'], "the field name '\\xe9'"],
    ...['\0', '\r', '\n', 'a\nb', '\x7f', ' a', 'a ', '\ta', 'a\t', ' '].map((value) => [
      `the value ${JSON.stringify(value)}`,
      [...OK, 'a', value],
      'the value of a',
    ]),
    ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te'].map((name) => [
      name,
      [...OK, name, 'x'],
      `${name}, which belongs to connections of HTTP/1.1`,
    ]),
  ])
    it(`${reason === null ? 'accepts' : 'refuses'} ${title}`, () =>
      expect(checkFields(fields, { isTrailer })).to.equal(reason));
});
