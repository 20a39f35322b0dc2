import { expect } from 'chai';

import { RUN_OPTIONS } from '../../../../lib/core/run/options/index.js';
import { readOption } from '../../../../lib/core/run/options/row.js';

const row = RUN_OPTIONS.find(({ name }) => name === 'connectTo');
const to = { host: '10.0.0.7', port: 8443 };

describe('run/options connectTo', () => {
  for (const [what, given, read] of [
    ['a text', 'API.test:443:10.0.0.7:8443', { 'api.test:443': to }],
    ['a list', ['a:80:[::1]:81', '[::2]:80:10.0.0.7:8443'], { 'a:80': { host: '::1', port: 81 }, '::2:80': to }],
    [
      'names and addresses in any spelling',
      ['Bücher.test:80:10.0.0.7:8443', '[0::2]:80:10.0.0.7:8443'],
      { 'xn--bcher-kva.test:80': to, '::2:80': to },
    ],
    ['an object', { 'API.test:443': to, '[::2]:80': to }, { 'api.test:443': to, '::2:80': to }],
    [
      'parts that are empty',
      ['::10.0.0.7:8443', 'a::10.0.0.7:', '[::1]:080::8443', ':80:10.0.0.7:'],
      { ':': to, 'a:': { host: '10.0.0.7' }, '::1:80': { port: 8443 }, ':80': { host: '10.0.0.7' } },
    ],
    ['empty parts that were read before', { ':': to, '::1:': to, ':80': {} }, { ':': to, '::1:': to, ':80': {} }],
    ['what was read before', { 'api.test:443': to, '::2:80': to }, { 'api.test:443': to, '::2:80': to }],
  ]) {
    it(`reads ${what}`, () => {
      expect(readOption(row, given)).to.deep.equal(read);
      expect(row.check(read)).to.equal(true);
    });
  }

  for (const given of [
    'a:80',
    ['a:80:b'],
    { a: to },
    { '::1': to },
    { 'a:80': { hots: 'b', port: 81 } },
    { 'a:80': { host: '', port: 81 } },
    '::::',
    { 'a:80': 'b:81' },
    new Map([['a:80', to]]),
    { 'a:80': { host: 'b', port: '81' } },
    5,
  ]) {
    it(`refuses ${JSON.stringify(given)}`, () => expect(row.check(readOption(row, given))).to.equal(false));
  }
});

describe('run/options resolver', () => {
  const { check } = RUN_OPTIONS.find(({ name }) => name === 'resolver');
  for (const [address, expected] of [
    ['10.0.0.2', true],
    ['10.0.0.2:5353', true],
    ['10.0.0.2:0', false],
    ['10.0.0.2:65536', false],
    ['::1', true],
    ['[::1]', true],
    ['[::1]:53', true],
    ['[::1]:0', false],
    ['dns.test', false],
    [53, false],
  ])
    it(`${address} is ${expected ? 'a DNS server' : 'refused'}`, () => expect(check(address)).to.equal(expected));
});
