import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { loadSummaryOf } from '../../lib/addons/loads/measure/loads.js';
import { REPORTERS } from '../../lib/core/report/formats/index.js';
import { command, commandHere } from '../support/command.js';
import { seeded } from '../support/random.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';

const JUNK = [
  null,
  0,
  -1,
  1.5,
  1e18,
  1e300,
  '',
  'x',
  '__proto__',
  '</script>',
  '\u001b[31m',
  true,
  [],
  [null],
  [1],
  ['x'],
  {},
  { a: 1 },
  { count: 1 },
];

/** The paths of all nested values, as arrays of keys. */
const placesOf = (value, path = []) =>
  Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(([key, inner]) => [
    [...path, key],
    ...placesOf(inner, [...path, key]),
  ]);

function damaged(value, { below, pick }) {
  const copy = structuredClone(value);
  for (let i = below(2); i >= 0; i--) {
    const path = pick(placesOf(copy));
    const holder = path.slice(0, -1).reduce((inner, key) => inner[key], copy);
    if (below(3) === 0) delete holder[path.at(-1)];
    else holder[path.at(-1)] = pick(JUNK);
  }
  return copy;
}

/** All of a result as a load. */
const loadOf = (result) => structuredClone(loadSummaryOf(result, { name: 'visits', startAfter: 0 }));

const said = (cwd, args) => commandHere(args, { cwd });

/** A changed result is printed, or refused with a reason. */
describe('any result', () => {
  let cwd;
  let whole;
  before(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const flow = "{ beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'], main: ['/', '/status/500'] }";
    const { code } = await command(
      ['--serve', '-n', '100', '-c', '3', '--threshold', 'ttfb.p99<10s', '-o', join(cwd, 'whole.json'), '-e', flow],
      {},
    );
    expect(code).to.equal(1);
    whole = JSON.parse(readFileSync(join(cwd, 'whole.json'), 'utf8'));
    writeFileSync(join(cwd, 'other.json'), JSON.stringify({ ...whole, id: 'other' }));
  });
  after(() => rmSync(cwd, { recursive: true }));

  const formats = REPORTERS.map(({ name }) => name);
  for (let seed = 0; seed < scaled(2, 20); seed++) {
    itSlow(`T11 a randomly changed result is printed or refused with a reason (random seed ${seed})`, async () => {
      const random = seeded(seed);
      let refused = 0;
      for (let i = 0; i < scaled(5, 10); i++) {
        writeFileSync(join(cwd, 'damaged.json'), JSON.stringify(damaged(whole, random)));
        for (const args of [
          ['report', 'damaged.json', '--format', random.pick(formats)],
          ['merge', 'damaged.json', 'other.json'],
          ['compare', 'damaged.json', 'other.json'],
        ]) {
          const { code, stderr } = await said(cwd, args);
          expect(code, stderr).to.be.oneOf([0, 1, 2, 99]);
          if (code !== 2) continue;
          refused++;
          expect(stderr).to.match(/damaged\.json /);
          expect(stderr.length).to.be.below(1000);
        }
      }
      expect(refused).to.be.above(scaled(2, 5));
    });
  }

  itSlow('T11 an unchanged result is read, and so is one with an unknown property', async () => {
    writeFileSync(join(cwd, 'newer.json'), JSON.stringify({ ...whole, requests: { ...whole.requests, newer: 7 } }));
    for (const name of ['whole.json', 'newer.json']) expect((await said(cwd, ['report', name])).code).to.equal(1);
    expect((await said(cwd, ['merge', 'whole.json', 'other.json'])).code).to.equal(1);
  });

  for (const [what, change, reason] of [
    [
      'a nested property is missing',
      (result) => {
        delete result.main.completed;
      },
      /damaged at main\.completed: expected an object, got undefined/,
    ],
    [
      'a number is a string',
      (result) => {
        result.requests.rate = 'x';
      },
      /damaged at requests\.rate: expected a finite number from 0, got a string/,
    ],
    [
      'a point is null',
      (result) => {
        result.series.points[0] = null;
      },
      /damaged at series\.points\[0\]: /,
    ],
    [
      'counts are not encoded counts',
      (result) => {
        result.main.histogram.hdr = 'x';
      },
      /damaged at main\.histogram\.hdr: not encoded counts/,
    ],
    [
      'the counts of an operation are missing',
      (result) => {
        delete result.operations[1].times.serviceTime.hdr;
      },
      /damaged at operations\[1\]\.times\.serviceTime\.hdr: missing/,
    ],
    [
      'more values are encoded than were counted',
      (result) => {
        result.main.histogram.hdr = result.requests.ttfb.hdr;
      },
      /damaged at main\.histogram\.hdr: \d+ values, but its summary has 100/,
    ],
    [
      'the counts of a point have no end',
      (result) => {
        result.series.points[0].responseTime.hdrPayload = '/w==';
      },
      /damaged at series\.points\[0\]\.responseTime\.hdrPayload: not encoded counts/,
    ],
    [
      'the times of a load are not encoded counts',
      (result) => {
        result.loads = [loadOf(result), loadOf(result)];
        result.loads[1].times.responseTime.hdr = 'x';
      },
      /damaged at loads\[1\]\.times\.responseTime\.hdr: not encoded counts/,
    ],
    [
      'a point of a load has other counts',
      (result) => {
        result.loads = [loadOf(result)];
        result.loads[0].series.points[0].responseTime.hdrPayload = '/w==';
      },
      /damaged at loads\[0\]\.series\.points\[0\]\.responseTime\.hdrPayload: not encoded counts/,
    ],
    [
      'a point of a load is at another time',
      (result) => {
        result.loads = [loadOf(result)];
        result.loads[0].series.points.at(-1).at = 1e300;
      },
      /damaged at loads\[0\]\.series\.points\[\d+\]\.at: not \d+ intervals after the start/,
    ],
    [
      'a time of a load is longer than any run',
      (result) => {
        result.loads = [loadOf(result)];
        result.loads[0].times.responseTime.max = 1e308;
      },
      /damaged at loads\[0\]\.times\.responseTime: expected times of 0 to \d+ ms/,
    ],
    [
      'a duration is longer than any run',
      (result) => {
        result.totalElapsed = 1e300;
      },
      /damaged at totalElapsed: expected 0 to 1000000000000 ms/,
    ],
    [
      'iterations took no time',
      (result) => {
        result.measuredElapsed = 0;
      },
      /damaged at measuredElapsed: 0, and iterations have ended/,
    ],
    [
      'a sum of times is negative',
      (result) => {
        result.main.histogram.sum = -1;
      },
      /damaged at main\.histogram\.sum: not of \d+ times/,
    ],
    [
      'a time is longer than any run',
      (result) => {
        result.main.histogram.max = 1e308;
      },
      /damaged at main\.histogram: expected times of 0 to \d+ ms/,
    ],
    [
      'an instant is no date',
      (result) => {
        result.startedAt = 'yesterday';
      },
      /damaged at startedAt: expected a date with a time in UTC, such as 2030-01-31/,
    ],
    [
      'the interval of the series is 0',
      (result) => {
        result.series.interval = 0;
      },
      /damaged at series\.interval: expected a number above 0, got 0/,
    ],
    [
      'iterations do not add up',
      (result) => {
        result.iterations.completed += 1;
      },
      /damaged at accounting: 100 iterations started, but/,
    ],
    [
      'a shard of more shards than there can be',
      (result) => {
        result.loadGenerators[0].shard = { number: 1, of: 1e9 };
      },
      /damaged at loadGenerators\[0\]\.shard: /,
    ],
    [
      'a number of bytes is negative',
      (result) => {
        result.bytes.sent = -1;
      },
      /damaged at bytes\.sent: /,
    ],
  ]) {
    it(`T11 the place of the damage is named: ${what}`, async () => {
      const result = structuredClone(whole);
      change(result);
      writeFileSync(join(cwd, 'damaged.json'), JSON.stringify(result));
      const { code, stderr } = await said(cwd, ['report', 'damaged.json']);
      expect(stderr)
        .to.match(reason)
        .and.match(/it is truncated or was changed: save it again/);
      expect(code).to.equal(2);
    });
  }
});
