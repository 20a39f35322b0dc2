import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { install } from '../../bench/install.js';
import { notInstalled, pathInBench } from '../../bench/peers/installed.js';
import { ROOT, saidBy } from '../support/command.js';
import { DIFFERENCES, MENDED } from './differences/index.js';
import { COMMANDS, playCommand } from './traits/commands.js';
import { TRAITS } from './traits/index.js';

const PACKAGE_1 = pathInBench('node_modules/bench-rest-1');
const SIDE = fileURLToPath(new URL('side.js', import.meta.url));

/** Parts in which ours may have more: figures, and an event of progress at the end. */
const OPEN_PARTS = ['figures', 'progress'];

/** What each trait does with one side, by its name: `benchrest` of the package at this path. */
async function playSide(entry) {
  const played = new Map();
  const side = fork(SIDE, [entry], { execArgv: ['--no-deprecation', '--no-warnings'] });
  side.on('message', ({ name, played: what }) => played.set(name, what));
  const code = await new Promise((resolve) => side.on('exit', resolve));
  expect([code, played.size], `the process that plays ${entry}`).to.deep.equal([0, TRAITS.length]);
  return played;
}

/** The parts in which ours differs: `{ theirs, ours }`. A run that did not end has no other part. */
function difference(theirs, ours) {
  const differs = { theirs: {}, ours: {} };
  const isOver = theirs.outcome === 'ends' && ours.outcome === 'ends';
  for (const part of isOver ? Object.keys(theirs) : ['outcome']) {
    if (JSON.stringify(theirs[part]) === JSON.stringify(ours[part])) continue;
    if (!OPEN_PARTS.includes(part)) {
      differs.theirs[part] = theirs[part];
      differs.ours[part] = ours[part];
    } else if (theirs[part].some((value) => !ours[part].includes(value)))
      differs.theirs[part] = theirs[part].filter((value) => !ours[part].includes(value));
  }
  return differs;
}

/** How 1.2.4 failed. @returns {string} */
function failureOf({ outcome, errorCounts }) {
  return outcome === 'ends' && errorCounts.some((count) => count > 0) ? 'fails' : outcome;
}

describe('programs and flows for 1.2.4', function () {
  this.timeout(600_000);
  let theirs;
  let ours;
  before(async () => {
    if (notInstalled('bench-rest-1')) await install();
    [theirs, ours] = await Promise.all([PACKAGE_1, `${ROOT}/index.js`].map(playSide));
  });

  for (const { name } of TRAITS) {
    const isMended = Object.hasOwn(MENDED, name);
    const known = Object.hasOwn(DIFFERENCES, name) ? DIFFERENCES[name] : undefined;
    const how = isMended ? `works, 1.2.4 ${MENDED[name]}` : known ? `differs: ${known.guide}` : 'is the same';
    it(`${name}: ${how}`, () => {
      if (isMended) {
        expect([failureOf(theirs.get(name)), failureOf(ours.get(name))]).to.deep.equal([MENDED[name], 'ends']);
        return;
      }
      const { theirs: before, ours: now } = known ?? { theirs: {}, ours: {} };
      expect(difference(theirs.get(name), ours.get(name))).to.deep.equal({ theirs: before, ours: now });
    });
  }

  for (const trait of COMMANDS)
    it(`${trait.name}: ${trait.differs ? `differs: ${trait.differs.guide}` : 'is the same'}`, async () => {
      const said = await Promise.all(
        [PACKAGE_1, ROOT].map((library) => {
          const argv = (args) => ['--no-deprecation', join(library, 'bin/bench-rest'), ...args];
          return playCommand(trait, { library, run: (args, options) => saidBy(process.execPath, argv(args), options) });
        }),
      );
      expect(said).to.deep.equal(trait.differs ? [trait.differs.theirs, trait.differs.ours] : [said[0], said[0]]);
    });
});
