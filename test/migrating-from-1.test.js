import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { DIFFERENCES } from './compat/differences/index.js';
import { play } from './compat/play.js';
import { openTarget } from './compat/target.js';
import { COMMANDS, playCommand } from './compat/traits/commands.js';
import { TRAITS } from './compat/traits/index.js';
import { COMMAND_LINES } from './migrating-from-1/command.js';
import { CONNECTIONS } from './migrating-from-1/connections.js';
import { OPERATIONS } from './migrating-from-1/operations.js';
import { PROGRAMS } from './migrating-from-1/programs.js';
import { ROOT, command } from './support/command.js';
import { GUIDE_ROWS } from './support/migration-guide.js';
import { itSlow } from './support/slow.js';

/**
 * Stories show with this version what a row of the guide says; the key is the beginning of the row. A row that is played with both
 * versions has no `here`: the traits of `compat/` show it.
 *
 * @typedef {(context: object) => unknown} Story
 * @typedef {Record<string, { here?: Story, instead?: Story }>} Stories
 */
const STORIES = { ...COMMAND_LINES, ...CONNECTIONS, ...OPERATIONS, ...PROGRAMS };

/** Runs a story with a target, a folder, and the ways to use them. */
async function tell(story, { codes }) {
  const target = await openTarget({});
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  const runs = async (flow, options) => {
    const errors = [];
    const notices = [];
    const from = target.requests.length;
    const run = benchrest(flow, { limit: 1, iterations: 1, ...options });
    run.on('error', (error) => errors.push(error)).on('warning', ({ message }) => notices.push(message));
    const { stats, errorCount } = await run;
    return { stats, errorCount, errors, notices, requests: target.requests.slice(from).map(target.withoutPort) };
  };
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  try {
    await story({
      url: target.url,
      requests: () => target.requests.map(target.withoutPort),
      folder,
      file,
      runs,
      command: (args, options) => command(args, { cwd: folder, ...options }),
      codes,
      valueOf: (code, scope = {}) => new Function(...Object.keys(scope), `return (${code});`)(...Object.values(scope)),
    });
  } finally {
    target.close();
    rmSync(folder, { recursive: true });
  }
}

describe('the guide to migration', () => {
  // notices of flows that 1.2.4 ran
  const printers = process.listeners('warning');
  before(() => process.removeAllListeners('warning'));
  after(() => printers.forEach((printer) => process.on('warning', printer)));

  const played = [...Object.values(DIFFERENCES), ...COMMANDS.flatMap(({ differs }) => differs ?? [])];
  const storyOf = (row) => STORIES[Object.keys(STORIES).find((guide) => row.startsWith(guide))] ?? {};
  const rowOf = (guide) => GUIDE_ROWS.filter(({ differs }) => differs.startsWith(guide));

  it('has every difference that the traits and the stories show', () => {
    for (const guide of [...played.map((one) => one.guide), ...Object.keys(STORIES)])
      expect(rowOf(guide), guide).to.have.lengthOf(1);
  });

  it('has no other difference', () => {
    const shown = [...played.map(({ guide }) => guide), ...Object.keys(STORIES).filter((guide) => STORIES[guide].here)];
    for (const { differs } of GUIDE_ROWS) {
      expect(
        shown.filter((guide) => differs.startsWith(guide)),
        differs,
      ).not.to.deep.equal([]);
    }
  });

  it('has a story for each row with something to write instead', () => {
    for (const { differs, instead } of GUIDE_ROWS) {
      const story = storyOf(differs).instead;
      expect(story !== undefined, differs).to.equal(instead !== '');
    }
  });

  for (const row of GUIDE_ROWS) {
    const { here, instead } = storyOf(row.differs);
    if (here) itSlow(`here: ${row.differs}`, () => tell(here, row));
    if (instead) itSlow(`write instead: ${row.instead}`, () => tell(instead, row));
  }

  describe('differences from 1.2.4', () => {
    for (const [name, { guide, ours }] of Object.entries(DIFFERENCES))
      it(`${name}: ${guide}`, async () => {
        const trait = TRAITS.find((one) => one.name === name);
        const found = await play(trait, benchrest, { crashed: new Promise(() => {}), hangs: false });
        for (const part of Object.keys(ours)) expect(found[part], part).to.deep.equal(ours[part]);
      });

    for (const trait of COMMANDS.filter(({ differs }) => differs))
      it(`${trait.name}: ${trait.differs.guide}`, async () =>
        expect(await playCommand(trait, { library: ROOT, run: command })).to.deep.equal(trait.differs.ours));
  });
});
