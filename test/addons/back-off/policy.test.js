import { expect } from 'chai';

import benchrest from '../../../index.js';
import { RETRY } from '../../../lib/addons/back-off/policy.js';

const headers = (field) => ({ statusCode: 429, headers: field === undefined ? {} : { 'retry-after': field } });
/** The waits after each response, none at random. */
const waitsOf = (policy, field, count = 6) =>
  Array.from({ length: count }, (_, i) => RETRY.compile(policy).waitMs(headers(field), i + 1, () => 0));

describe('the policy of a back-off', () => {
  it('waits as Retry-After asks, until the request was sent as often as allowed', () =>
    expect(waitsOf(true, '2')).to.deep.equal([2000, 2000, 2000, 2000, Infinity, Infinity]));

  it('doubles its waits without Retry-After, up to the longest one', () =>
    expect(waitsOf({ attempts: 6, first: '500ms', longest: '3s' })).to.deep.equal([
      ...[500, 1000, 2000, 3000, 3000, Infinity],
    ]));

  it('gives up at once where the service asks for more than the longest wait', () =>
    expect(waitsOf({ longest: 1000 }, '2', 1)).to.deep.equal([Infinity]));

  it('adds a share of the wait at random, and never goes below what the service asks for', () => {
    const { waitMs } = RETRY.compile({ jitter: 0.5, longest: '3s' });
    const at = (random) => waitMs(headers('2'), 1, () => random);
    expect([at(0), at(0.5), at(1)]).to.deep.equal([2000, 2500, 3000]);
  });

  it('is of 429 and 503, or of its statuses', () => {
    const asked = (policy) => [429, 500, 503].filter((statusCode) => RETRY.compile(policy).isAsked({ statusCode }));
    expect([asked(true), asked({ statuses: [500] })]).to.deep.equal([[429, 503], [500]]);
  });

  it('is none if it is false or absent', () =>
    expect([RETRY.compile(false), RETRY.compile(undefined)]).to.deep.equal([null, null]));
});

const URL = 'http://127.0.0.1:9/';
const ONCE = { limit: 1, iterations: 1 };

/** A value, and its refusal in an operation. */
const REFUSALS = [
  ['yes', 'retryAfter: expected true, false, or a policy such as { attempts: 3 }, got a string'],
  [[], 'retryAfter: expected true, false, or a policy such as { attempts: 3 }, got an empty array'],
  [{ atempts: 3 }, 'retryAfter.atempts: unknown property, did you mean attempts?'],
  [{ attempts: 1 }, 'retryAfter.attempts: expected a whole number from 2, got 1'],
  [{ statuses: 429 }, 'retryAfter.statuses: expected a list of statuses from 400 to 599, such as [429, 503]'],
  [{ statuses: [200] }, 'retryAfter.statuses: expected a list of statuses from 400 to 599'],
  [{ longest: '0s' }, "retryAfter.longest: expected a time above 0, such as '30s'"],
  [{ first: 'x' }, "retryAfter.first: expected a time above 0, such as '30s'"],
  [{ statuses: [200] }, 'got [200]'],
  [{ longest: 'soon' }, 'got "soon"'],
  [{ first: '60s' }, 'retryAfter.first: expected at most longest, 30 s, got 1 m'],
  [{ jitter: 2 }, 'retryAfter.jitter: expected a share from 0 to 1'],
];

describe('a threshold on waits', () => {
  it('is refused where no operation waits', () =>
    expect(() => benchrest(URL, { ...ONCE, thresholds: { throttled: '<10%' } })).to.throw(
      'throttled<10%: no operation waits and is sent again: set retryAfter',
    ));
});

describe('a policy that is refused', () => {
  for (const [retryAfter, message] of REFUSALS)
    it(`${JSON.stringify(retryAfter)} before the first request`, () =>
      expect(() => benchrest({ get: URL, retryAfter }, ONCE)).to.throw(message));

  it('as a run option, with the name of its member', () =>
    expect(() => benchrest(URL, { ...ONCE, retryAfter: { attempts: 0 } })).to.throw(
      'runOptions.retryAfter: attempts: expected a whole number from 2, got 0',
    ));
});
