import { expect } from 'chai';

import { isCyclic, isTooDeep } from '../../../lib/core/flow/record.js';
import { MAX_DEPTH } from '../../../lib/core/text/parse-json.js';

const nested = (levels, wrap = (inner) => [inner]) => Array.from({ length: levels }).reduce(wrap, 'x');

describe('nesting', () => {
  it('a value may have the maximum number of levels, and not one more', () => {
    for (const wrap of [(inner) => [inner], (a) => ({ a })]) {
      expect(isTooDeep(nested(MAX_DEPTH, wrap))).to.equal(false);
      expect(isTooDeep(nested(MAX_DEPTH + 1, wrap))).to.equal(true);
      expect(isTooDeep(nested(100_000, wrap))).to.equal(true);
    }
  });

  it('a circular value is endless, not deep', () => {
    const ring = { list: [] };
    ring.list.push({ ring });
    expect(isCyclic(ring)).to.equal(true);
    expect(isTooDeep(ring)).to.equal(false);
  });

  it('a value that occurs twice is neither, and is visited once', () => {
    const shared = nested(60, (inner) => ({ a: inner, b: inner }));
    expect(isCyclic(shared)).to.equal(false);
    expect(isTooDeep(shared)).to.equal(false);
  });

  it('instances of classes do not count towards the depth', () => {
    class Link {
      constructor(next) {
        this.next = next;
      }
    }
    expect(isTooDeep(nested(MAX_DEPTH * 2, (inner) => new Link(inner)))).to.equal(false);
  });
});
