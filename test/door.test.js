import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { DOOR } from '../lib/core/ground/join-addon.js';
import { textOf } from './support/documents.js';
import { itSlow } from './support/slow.js';

const PAGE = 'docs/internals/add-ons.md';
const RECORD = 'docs/internals/door.json';

describe('the door for add-ons of other packages', () => {
  it('has a note for each change of its types, with its number', () => {
    const hash = createHash('sha256').update(textOf(RECORD)).digest('hex').slice(0, 12);
    const rows = [...textOf(PAGE).matchAll(/^\| (\d+) +\| `(\w{12})` +\| (.+?) +\|$/gm)];
    const [, door, noted, change] = rows.at(-1);
    const message = `the types of the door have changed: raise DOOR, or note the change in ${PAGE}, for ${hash}`;
    expect({ door: Number(door), noted }, message).to.deep.equal({ door: DOOR, noted: hash });
    expect(change.length).to.be.above(3);
    expect(rows.map((row) => Number(row[1]))).to.deep.equal(rows.map((row) => Number(row[1])).toSorted());
  });

  itSlow('has the types that are recorded', async () => {
    const { doorTypes } = await import('../scripts/door.js');
    const message = `npm run generate writes ${RECORD}; then raise DOOR, or note the change in ${PAGE}`;
    expect(JSON.parse(doorTypes()), message).to.deep.equal(JSON.parse(textOf(RECORD)));
  });
});
