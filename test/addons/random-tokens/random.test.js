import { expect } from 'chai';

import addon from '../../../lib/addons/random-tokens/addon.js';
import { Names } from '../../../lib/core/flow/names.js';
import { markTokens } from '../../../lib/core/flow/template.js';
import { createProblems } from '../../../lib/core/ground/problems.js';

const { tokens: RANDOM } = addon;

/** The values of a token for the first iterations. */
function values(source, count, { seed = 1, where = 'flow.main[0]' } = {}) {
  const [, name, member, argument] = /^(\w+)(?:\.(\w+))?(?:\((.*)\))?$/.exec(source);
  const read = RANDOM.find((entry) => entry.name === name).value({ name, member, argument }, { refuse: expect.fail, where, seed }); // prettier-ignore
  return Array.from({ length: count }, (_, index) => read({ index }));
}

function refusal(name, use) {
  const reasons = [];
  RANDOM.find((entry) => entry.name === name).value(
    { name, ...use },
    { refuse: (reason) => reasons.push(reason), where: 'flow.main[0]', seed: 1 },
  );
  return reasons;
}

describe('random tokens', () => {
  it('a UUID has version 4, and each iteration another one', () => {
    const all = values('uuid', 2000);
    for (const one of all) expect(one).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(all).size).to.equal(2000);
    for (const digit of '89ab') expect(all.filter((one) => one[19] === digit).length).to.be.within(400, 600);
  });

  it('a whole number is from one limit to the other, both included', () => {
    const all = values('randomInt(-2, 2)', 5000);
    for (const number of [-2, -1, 0, 1, 2]) expect(all.filter((one) => one === number).length).to.be.within(850, 1150);
    expect(new Set(all).size).to.equal(5);
    expect(values('randomInt(7,7)', 3)).to.deep.equal([7, 7, 7]);
    const large = values('randomInt(0,9007199254740990)', 200);
    expect(large.every((one) => Number.isSafeInteger(one))).to.equal(true);
    expect(large.some((one) => one % 2 === 1)).to.equal(true);
  });

  it('an item is one of the texts, without the spaces around it', () => {
    const all = values('randomItem(red, light blue ,é)', 900);
    for (const item of ['red', 'light blue', 'é'])
      expect(all.filter((one) => one === item).length).to.be.within(200, 400);
    expect(new Set(all).size).to.equal(3);
  });

  it('a text has the length, and all letters and digits', () => {
    expect(values('randomString(1)', 1)[0]).to.match(/^[A-Za-z\d]$/);
    expect(values('randomString(1000)', 1)[0]).to.match(/^[A-Za-z\d]{1000}$/);
    const all = values('randomString(6)', 2000);
    expect(new Set(all).size).to.equal(2000);
    expect(new Set(all.join('')).size).to.equal(62);
  });

  for (const source of ['uuid', 'randomInt(1,1000000)', 'randomItem(a,b,c,d)', 'randomString(8)']) {
    it(`${source} repeats with the seed, the operation and INDEX, and differs with others`, () => {
      const first = values(source, 20);
      expect(values(source, 20)).to.deep.equal(first);
      expect(values(source, 20, { seed: 2 })).to.not.deep.equal(first);
      expect(values(source, 20, { where: 'flow.main[1]' })).to.not.deep.equal(first);
      const [, name, rest] = /^(\w+)(.*)$/.exec(source);
      expect(values(`${name}.other${rest}`, 20)).to.not.deep.equal(first);
    });
  }

  it('outside of iterations the value is that of INDEX 0', () => {
    const read = RANDOM[0].value({ name: 'uuid' }, { refuse: expect.fail, where: 'flow.before[0]', seed: 1 });
    expect(read({})).to.equal(read({ index: 0 }));
  });

  for (const [name, use, reason] of [
    ['uuid', { argument: '4' }, 'takes no argument'],
    ['randomInt', {}, 'needs two whole numbers, the smaller one first: write #{randomInt(1,100)}'],
    ['randomInt', { argument: '1' }, 'needs two whole numbers'],
    ['randomInt', { argument: '2,1' }, 'needs two whole numbers'],
    ['randomInt', { argument: '1.5,2' }, 'needs two whole numbers'],
    ['randomInt', { argument: '-9007199254740991,9007199254740991' }, 'needs two whole numbers'],
    ['randomItem', { argument: 'a,,b' }, 'needs texts between commas: write #{randomItem(red,green)}'],
    ['randomItem', {}, 'needs texts between commas'],
    ['randomString', {}, 'needs a length from 1 to 1000: write #{randomString(12)}'],
    ['randomString', { argument: '0' }, 'needs a length'],
    ['randomString', { argument: '1001' }, 'needs a length'],
  ]) {
    it(`${name} ${JSON.stringify(use)} is refused`, () => {
      const reasons = refusal(name, use);
      expect(reasons).to.have.lengthOf(1);
      expect(reasons[0]).to.include(reason);
    });
  }

  it('they are among the first that the message about a name like no other lists', () =>
    expect(new Names().explain('something')).to.include('#{env}, #{uuid}, #{randomInt}, #{randomItem}'));

  it('one with a space within its brackets is refused with its column', () => {
    const problems = createProblems('E_FLOW');
    markTokens('#<uuid >', { problems, path: 'flow.main[0].json' });
    expect(problems.list).to.deep.equal([
      {
        path: 'flow.main[0].json',
        reason: '#<uuid > (column 1) has spaces within its brackets: write #{uuid}',
      },
    ]);
  });
});
