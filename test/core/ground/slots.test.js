import { expect } from 'chai';

import { scenariosOf, selectorOf, stepCount } from '../../../lib/core/ground/phases.js';

const choice = (index) => index % 2;
const plain = { choice: null, scenario: null, rounds: 1 };
const chosen = { choice, scenario: null, rounds: 1 };
const STEPS = [plain, chosen, chosen, plain];
const NAMES = ['browse', 'buy', 'idle'];
const [BROWSE, BUY, IDLE] = NAMES.map((name, at) => ({ name, at, names: NAMES, choose: choice }));
const of = (scenario, rounds = 1) => ({ choice: null, scenario, rounds });

describe('slots', () => {
  it('the steps of a oneOf count as one', () => {
    expect(stepCount([STEPS])).to.equal(3);
    expect(stepCount([[], []])).to.equal(0);
  });

  it('an iteration performs the chosen step of a oneOf, and all others in their order', () => {
    const select = selectorOf(STEPS, ['a', 'b0', 'b1', 'c']);
    expect([select(0), select(1), select(2)]).to.deep.equal([
      ['a', 'b0', 'c'],
      ['a', 'b1', 'c'],
      ['a', 'b0', 'c'],
    ]);
  });

  it('the steps of one operation without a choice are all performed, and count each', () => {
    const steps = [plain, plain, chosen, chosen];
    expect(stepCount([steps])).to.equal(3);
    expect(selectorOf(steps, ['open', 'send', 'b0', 'b1'])(1)).to.deep.equal(['open', 'send', 'b1']);
  });

  it('steps without a oneOf need no selector', () => {
    expect(selectorOf([plain, plain], ['a', 'b'])).to.equal(null);
    expect(selectorOf([], [])).to.equal(null);
  });

  it('an iteration performs the steps of its scenario and those of all, in their order', () => {
    const other = { choice: (index) => 1 - (index % 2), scenario: BUY, rounds: 1 };
    const steps = [plain, of(BROWSE), of(BUY), other, other, plain];
    const select = selectorOf(steps, ['first', 'browse', 'buy', 'x', 'y', 'last']);
    expect([select(0, 0), select(0, 1), select(1, 1), select(0, 2)]).to.deep.equal([
      ['first', 'browse', 'last'],
      ['first', 'buy', 'y', 'last'],
      ['first', 'buy', 'x', 'last'],
      ['first', 'last'],
    ]);
  });

  it('the scenario with the most steps counts, over all phases', () => {
    const beforeMain = [plain, of(BROWSE), of(BROWSE)];
    const main = [of(BROWSE), of(BUY), of(BUY), of(BUY), of(BUY), of(IDLE)];
    expect(stepCount([beforeMain, main])).to.equal(5);
    expect(stepCount([beforeMain, main.slice(0, 2)])).to.equal(4);
  });

  it('repetitions count: of a oneOf those of the operation with the most', () => {
    const steps = [of(null, 3), { choice, scenario: null, rounds: 2 }, { choice, scenario: null, rounds: 5 }];
    expect(stepCount([steps, [plain]])).to.equal(9);
    expect(stepCount([[plain, of(BUY, Infinity)]])).to.equal(Infinity);
  });

  it('scenarios are listed in the order of the flow', () => {
    expect(scenariosOf([of(BROWSE), of(BUY), of(BROWSE), plain])).to.deep.equal([BROWSE, BUY]);
    expect(scenariosOf(STEPS)).to.deep.equal([]);
  });
});
