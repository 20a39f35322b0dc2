import { expect } from 'chai';

import { readStageParts, readStages, refuseTogether } from '../../../../lib/core/run/options/stages.js';

describe('run/options/stages', () => {
  for (const [given, stages] of [
    [['30s:100'], [{ duration: 30_000, rate: 100, ramp: true }]],
    ['30s:100', [{ duration: 30_000, rate: 100, ramp: true }]],
    [
      ['1m:50c', '5s:0c'],
      [
        { duration: 60_000, limit: 50, ramp: true },
        { duration: 5000, limit: 0, ramp: true },
      ],
    ],
    [[{ duration: '1s', rate: '30/m', ramp: false }], [{ duration: 1000, rate: 0.5, ramp: false }]],
    [
      ['30s:20,1m30s:10'],
      [
        { duration: 30_000, rate: 20, ramp: true },
        { duration: 90_000, rate: 10, ramp: true },
      ],
    ],
    [[' 2s : 5 '], [{ duration: 2000, rate: 5, ramp: true }]],
    [['10s:=500'], [{ duration: 10_000, rate: 500, ramp: false }]],
    [
      ['4s:10', '4s:30 in 2 steps'],
      [
        { duration: 4000, rate: 10, ramp: true },
        { duration: 2000, rate: 20, ramp: false },
        { duration: 2000, rate: 30, ramp: false },
      ],
    ],
    [
      [{ duration: '3s', limit: 4, steps: 3 }],
      [
        { duration: 1000, limit: 1, ramp: false },
        { duration: 1000, limit: 3, ramp: false },
        { duration: 1000, limit: 4, ramp: false },
      ],
    ],
  ]) {
    it(`${JSON.stringify(given)} is read`, () => expect(readStages(given)).to.deep.equal(stages));
  }

  for (const [given, title] of [
    [[], 'an empty list has no stage'],
    [['30s:100', '30s:5c'], 'rates and virtual users cannot be mixed'],
    [[{ duration: 1, rate: 1, limit: 1 }], 'a stage has a rate or a limit, not both'],
    [[{ duration: 1 }], 'a stage needs one of them'],
    [[{ duration: 0, rate: 1 }], 'a stage lasts longer than nothing'],
    [['100'], 'a text needs a colon'],
    [[{ duration: 1, rate: 1, rampp: true }], 'an unknown key is refused'],
    [[{ duration: 1, rate: 1, ramp: 1 }], 'ramp is true or false'],
    [[null], 'null is no stage'],
    [[{ duration: 1, rate: 1, steps: 0 }], 'a ramp has at least one step'],
    [[{ duration: 1, rate: 1, steps: 2, ramp: false }], 'a step has no steps'],
    [['1s:5 in two steps'], 'the number of steps is a number'],
  ]) {
    it(title, () => expect(readStages(given)).to.equal(null));
  }

  it('steps rise from the value before, also if each stage was an argument of its own', () => {
    const parts = ['300ms:=20', '400ms:60 in 4 steps'].flatMap((text) => readStageParts([text]));
    expect(readStages(parts).map(({ rate }) => rate)).to.deep.equal([20, 30, 40, 50, 60]);
  });

  it('valid stages that do not fit together are explained', () => {
    expect(refuseTogether(['1s:5c', '1s:5'])).to.match(/^mixes rates and virtual users: .*'30s:50c'$/);
    expect(refuseTogether(['1s:0', '1s:5c'])).to.match(/^mixes/);
    for (const given of [['1s:0', '2s:0 in 2 steps'], ['1s:0c']])
      expect([readStages(given), refuseTogether(given)]).to.deep.equal([
        null,
        'are 0 all the time, so no iteration would start',
      ]);
    for (const given of [['1s:5c', '1s:100001c'], ['1s:1000001']])
      expect([readStages(given), refuseTogether(given)].join()).to.match(
        /^,go to 100000?1: use at most 100000 virtual users/,
      );
    for (const given of [undefined, [], ['1s:5c', 'x'], 5]) expect(refuseTogether(given)).to.equal(undefined);
  });
});
