import { expect } from 'chai';

import { TagValues } from '../../../lib/core/measure/tags.js';

/** How many of so many values of each tag are kept. */
function keptOf(tags, values) {
  const all = new TagValues();
  const kept = new Set();
  for (const tag of tags)
    for (let i = 0; i < values; i++) {
      const labels = { [tag]: `v${i}` };
      if (all.bounded(labels) === labels) kept.add(tag + i);
      else expect(all.bounded(labels)).to.deep.equal({ [tag]: 'other' });
    }
  return kept.size;
}

describe('measure/tags', () => {
  it('a tag has 50 values, and others become one', () => {
    expect(keptOf(['team'], 50)).to.equal(50);
    expect(keptOf(['team'], 51)).to.equal(50);
  });

  it('all tags have 200 values', () => expect(keptOf(['a', 'b', 'c', 'd', 'e'], 41)).to.equal(200));

  it('a value that is kept stays the same beyond the bounds', () => {
    const all = new TagValues();
    for (let i = 0; i < 60; i++) all.bounded({ team: `v${i}` });
    const labels = { team: 'v0' };
    expect(all.bounded(labels)).to.equal(labels);
  });
});
