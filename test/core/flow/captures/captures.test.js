import { inspect } from 'node:util';

import { expect } from 'chai';

import { CAPTURE, CAPTURES, capturedBy } from '../../../../lib/core/flow/captures/index.js';
import { captured } from '../../../support/captures.js';

const NAMES = CAPTURES.map(({ name }) => name);

describe('flow/captures', () => {
  for (const [capture, body, value, reads] of [
    ['$.id', '{"id":5}', 5, 'body'],
    [{ json: '$.list[-1]' }, '{"list":[1,{"a":2}]}', { a: 2 }, 'body'],
    ['$.a', '{"a":null}', null, 'body'],
    [{ text: 'page=(\\d+)' }, 'a?page=42', '42', 'body'],
    [{ text: /[a-z]+/ }, '12ab', 'ab', 'body'],
    [{ text: /a(b)?/ }, 'a', undefined, 'body'],
    [{ header: 'ETag' }, '', '"e"', 'head'],
    [{ cookie: 'sid' }, '', 'v', 'head'],
    [{ status: true }, '', 200, 'status'],
    [{ json: '$.next', match: 'cursor=([^&]+)' }, '{"next":"/items?cursor=a1&n=2"}', 'a1', 'body'],
    [{ json: '$.id', match: /\d/ }, '{"id":57}', '5', 'body'],
    [{ header: 'ETag', match: '"(.*)"' }, '', 'e', 'head'],
    [{ cookie: 'csrf', decode: 'percent' }, '', 'a=', 'head'],
    [{ text: 'value="([^"]+)"', decode: 'html' }, '<input value="a&#x2B;b&amp;c">', 'a+b&c', 'body'],
    [{ json: '$.id', decode: 'percent' }, '{"id":5}', 5, 'body'],
  ])
    it(`${JSON.stringify(capture)} captures ${JSON.stringify(value)}`, () =>
      expect(
        captured(capture, body, { headers: { etag: '"e"' }, setCookies: ['sid=v; Path=/', 'csrf=a%3D'] }),
      ).to.deep.include({
        value,
        reads,
        where: 'flow.main[0].capture.x',
      }));

  for (const [capture, body, reason] of [
    ['$.id', '{"a":1}', '$.id finds nothing in {"a":1}'],
    ['$.id', '<html>', 'expected JSON with $.id, received "<html>", which is not JSON'],
    ['$.id', '', 'expected JSON with $.id, received an empty body'],
    ['$.id', '{"token":"secret123"}', '$.id finds nothing in {"token":"***"}'],
    [{ header: 'ETag' }, '', 'the response has no header "ETag"'],
    [{ cookie: 'sid' }, '', 'the response sets no cookie "sid"'],
    [{ text: 'a+' }, 'bcd', '/a+/ matches nothing in "bcd"'],
    [{ text: /b(a)?/ }, 'bcd', 'the first group of /b(a)?/ matches nothing in "bcd"'],
    [{ json: '$.id', match: 'a+' }, '{"id":"bcd"}', '/a+/ matches nothing in "bcd"'],
    [{ json: '$.id', match: 'a+' }, '{}', '$.id finds nothing in {}'],
    [{ header: 'ETag', match: 'a+' }, '', 'the response has no header "ETag"'],
  ])
    it(`${JSON.stringify(capture)} of ${body || 'nothing'}: ${reason}`, () => {
      const found = captured(capture, body);
      expect([found.value, found.reason]).to.deep.equal([undefined, reason]);
    });

  it('a default may be any value', () => {
    expect(captured({ json: '$.id', default: null }).fallback).to.deep.equal({ value: null });
    expect(captured('$.id').fallback).to.equal(null);
  });

  for (const [capture, ...reasons] of [
    [{ id: 'id' }, '.id: id is no JSONPath, which begins with $: write $.id'],
    [
      { id: 5 },
      `.id: expected a JSONPath such as '$.id', or an object with ${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}, got 5`,
    ],
    [{ id: {} }, `.id: has no place: write one of ${NAMES.join(', ')}`],
    [{ id: { json: '$', text: 'a' } }, `.id: has json and text: write one of ${NAMES.join(', ')}`],
    [{ id: { heder: 'a' } }, '.id.heder: unknown property, did you mean header?'],
    [{ id: { status: 200 } }, '.id.status: expected true, got 200'],
    [{ id: { header: '' } }, ".id.header: expected the name of a header field, such as 'etag', got an empty string"],
    [{ id: { text: '(' } }, '.id.text: ( is malformed'],
    [{ id: { text: /(?=a)/ } }, '.id.text: /(?=a)/ has a lookahead'],
    [{ a: 5, b: {} }, '.a: expected a JSONPath', '.b: has no place: write one of'],
    [{ INDEX: '$' }, '.INDEX: #{INDEX} is a built-in token: use another name'],
    [{ 'a b': '$' }, '.a b: is not the name of a token: use letters, digits and _'],
    [{ a: "$[?@.id=='#{id}']" }, '.a: has a token, and tokens are not replaced here'],
    [{ a: { text: /id=#{id}/ } }, '.a.text: has a token'],
    [{ a: { header: 'x-#{id}' } }, '.a.header: has a token'],
    [{ a: { header: 'x', match: '(' } }, '.a.match: ( is malformed'],
    [{ a: { status: true, match: '2' } }, '.a.match: status has no parts: leave match out'],
    [{ a: { status: true, decode: 'html' } }, '.a.decode: status is a number: leave decode out'],
    [{ a: { cookie: 'x', decode: 'url' } }, '.a.decode: expected percent or html, got "url"'],
    [{ a: { cookie: '#{id}', default: ['#{id}', 1n] } }, '.a.cookie: has a token', '.a.default: has a token'],
  ])
    it(`${inspect(capture)} is refused: ${reasons}`, () => {
      const refusals = CAPTURE.refuse(capture).map(({ at, reason }) => `${at}: ${reason}`);
      expect(refusals).to.have.lengthOf(reasons.length);
      reasons.forEach((reason, i) => expect(refusals[i]).to.include(reason));
    });

  for (const entry of CAPTURES)
    it(`${entry.name} refuses what it does not know`, () =>
      expect([entry.check({}), entry.check(undefined)]).to.deep.equal([false, false]));

  it('the names that an entry captures are those of all its alternatives', () => {
    const oneOf = [{ get: '/', capture: { a: '$' } }, { get: '/', capture: { a: '$', b: '$' } }, '/'];
    expect(capturedBy({ oneOf }, 'flow.main[0]')).to.deep.equal([
      ['a', 'flow.main[0].oneOf[0].capture.a'],
      ['a', 'flow.main[0].oneOf[1].capture.a'],
      ['b', 'flow.main[0].oneOf[1].capture.b'],
    ]);
    expect([capturedBy(null, ''), capturedBy({ get: '/' }, ''), capturedBy({ capture: null }, '')]).to.deep.equal([
      [],
      [],
      [],
    ]);
  });
});
