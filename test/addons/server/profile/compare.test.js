import { expect } from 'chai';

import { mergeProfiles } from '../../../../lib/addons/server/profile/call-tree.js';
import { comparedProfiles } from '../../../../lib/addons/server/profile/compare.js';
import { readProfiles } from '../../../../lib/addons/server/profile/read.js';
import { bytesOf, cpuProfile } from '../../../support/profiles.js';

const profileOf = (stacks, folder = '/srv') =>
  readProfiles([{ name: 'app.js', bytes: bytesOf(cpuProfile(stacks, { folder })) }], { folder, durationMs: 1000 });
/** 100 requests in the time of the profile */
const resultOf = (profile) => ({ profiles: [profile], requests: { rate: 100_000 / profile.duration } });

describe('sum of profiles', () => {
  it('adds up functions and stacks', () => {
    const sum = mergeProfiles([profileOf({ 'a@x.js:1;b@x.js:2': 10 }), profileOf({ 'a@x.js:1': 5, 'c@x.js:9': 1 })]);
    expect(sum.total).to.equal(16);
    expect(sum.tree.frames).to.have.length(3);
    expect(sum.frames.find(({ name }) => name === 'a')).to.include({ self: 5, total: 15 });
    expect(sum.processes).to.deep.equal([{ name: 'app.js', total: 16 }]);
  });

  it('a damaged tree is no fault', () => {
    const damaged = profileOf({ 'a@x.js:1;b@x.js:2': 10 });
    damaged.tree.parents = [1, 99];
    damaged.tree.frames = [7, 0];
    expect(mergeProfiles([damaged, damaged]).tree.parents).to.deep.equal([-1]);
  });
});

describe('comparison of profiles', () => {
  it('is per request, so the length of a run does not count', () => {
    const base = resultOf(profileOf({ 'list@app.js:3': 100 }));
    const longer = { profiles: [profileOf({ 'list@app.js:3': 300 })], requests: { rate: base.requests.rate } };
    const [compared] = comparedProfiles([base], [longer]);
    expect(compared).to.include({ kind: 'cpu', base: 1, new: 1 });
    expect(compared.functions[0]).to.include({ base: 1, new: 1 });
  });

  it('merged shards that each have a service count each request once', () => {
    const base = resultOf(profileOf({ 'list@app.js:3': 100 }));
    const merged = {
      profiles: [mergeProfiles([...base.profiles, ...base.profiles])],
      requests: { rate: 2 * base.requests.rate, count: 200 },
    };
    expect(comparedProfiles([base], [merged])[0]).to.include({ base: 1, new: 1 });
  });

  it('lists the functions that changed most, also where lines have moved and another folder was checked out', () => {
    const base = resultOf(profileOf({ 'list@app.js:3': 50, 'list@app.js:3;old@app.js:1': 50 }, '/tmp/base'));
    const other = resultOf(profileOf({ 'list@app.js:9': 60, 'list@app.js:9;stringify': 240 }));
    const [compared] = comparedProfiles([base], [other]);
    expect(compared).to.include({ base: 1, new: 3 });
    expect(compared.functions.map(({ name, line, base: a, new: b }) => [name, line, a, b])).to.deep.equal([
      ['JSON.stringify', undefined, 0, 2.4],
      ['old', 1, 0.5, 0],
      ['list', 9, 0.5, 0.6],
    ]);
    expect(compared.functions[0].by).to.include({ name: 'list', file: 'app.js', line: 9 });
    expect(compared.functions[1]).not.to.have.property('by');
    expect(compared.tree.parents).to.deep.equal([-1, 0, 0]);
    expect(compared.tree.base).to.deep.equal([1, 0.5, 0]);
    expect(compared.tree.new).to.deep.equal([3, 0, 2.4]);
  });

  it('functions without a name are the same ones although a side lacks some, and where all have moved', () => {
    const rowsOf = (a, b) =>
      comparedProfiles([resultOf(profileOf(a))], [resultOf(profileOf(b))])[0].functions.map((one) => [
        ...[one.line, one.base, one.new],
      ]);
    expect(
      rowsOf(
        { '@app.js:5': 9, '@app.js:7': 20, '@app.js:9': 70 },
        { '@app.js:2': 1, '@app.js:7': 20, '@app.js:9': 90 },
      ),
    ).to.deep.equal([
      [9, 0.7, 0.9],
      [5, 0.09, 0],
      [2, 0, 0.01],
      [7, 0.2, 0.2],
    ]);
    const moved = { '@app.js:7': 20, '@app.js:9': 90, 'serve@app.js:13': 10 };
    expect(rowsOf({ '@app.js:5': 20, '@app.js:7': 70, 'serve@app.js:11': 10 }, moved)).to.deep.equal([
      [9, 0.7, 0.9],
      [13, 0.1, 0.1],
      [7, 0.2, 0.2],
    ]);
  });

  it('a function that the new side lacks is not the one that moved to its place', () => {
    const base = { '@app.js:5': 20, '@app.js:7': 30, '@app.js:9': 40, 'serve@app.js:11': 10 };
    const moved = { '@app.js:7': 20, '@app.js:9': 30, 'serve@app.js:13': 10 };
    const [{ functions }] = comparedProfiles([resultOf(profileOf(base))], [resultOf(profileOf(moved))]);
    expect(functions.map((one) => [one.line, one.base, one.new])).to.have.deep.members([
      [9, 0.4, 0],
      [7, 0.2, 0.2],
      [9, 0.3, 0.3],
      [13, 0.1, 0.1],
    ]);
  });

  it('needs a profile of both sides', () => {
    const one = resultOf(profileOf({ 'list@app.js:3': 10 }));
    expect(comparedProfiles([one], [{ requests: { rate: 1 } }])).to.deep.equal([]);
  });
});
