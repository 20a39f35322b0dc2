import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { RECORD, brokenBy, stability } from '../scripts/stability.js';

const recorded = JSON.parse(readFileSync(new URL(`../${RECORD}`, import.meta.url), 'utf8'));

describe('names that are stable', () => {
  it('are still there, with their types: otherwise it is a breaking change: 3.0', async () => {
    const { broken, text } = await stability();
    expect(broken).to.deep.equal([]);
    expect(JSON.parse(text)).to.deep.equal(recorded);
  });

  it('a name that goes, or changes its type, is a breaking change; a new one is none', () => {
    const before = { flags: { '--rate': '<rate>', '--seed': '<n>' }, codes: { E_A: 'expect' } };
    const now = { flags: { '--rate': '<rate>', '--new': '' }, codes: { E_A: '' } };
    expect(brokenBy(now, before)).to.deep.equal([
      `flags: --seed is gone: a breaking change: 3.0. ${RECORD} has what is stable`,
      `codes: E_A is nothing, and was expect: a breaking change: 3.0. ${RECORD} has what is stable`,
    ]);
    expect(brokenBy(now, now)).to.deep.equal([]);
  });

  it('have every area: flags, options, flows, tokens, codes, events and exports', () => {
    for (const [area, names] of Object.entries(recorded)) expect(Object.keys(names), area).not.to.have.lengthOf(0);
    expect(recorded.commands).to.include({ 'run --rate': '-r, --rate <rate>' });
    expect(recorded.events).to.have.all.keys('start', 'warning', 'response', 'error', 'progress', 'end');
    expect(recorded.exports).to.include({ 'bench-rest defineFlow': 'function' });
    expect(recorded['exit codes']).to.include({ threshold: '99' });
  });
});
