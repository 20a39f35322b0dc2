// One side of the suite, in a process of its own: what a program throws late, and what it leaves behind, is its own.
import { createRequire } from 'node:module';

import { MENDED } from './differences/index.js';
import { play } from './play.js';
import { TRAITS } from './traits/index.js';

const [entry, ...names] = process.argv.slice(2);
const benchrest = createRequire(import.meta.url)(entry);
const isOurs = benchrest.defineFlow !== undefined;

/** Ends the trait that is being played. @type {(error: Error) => void} */
let crash = () => {};
process.on('uncaughtException', (error) => crash(error));

for (const trait of TRAITS) {
  const { name } = trait;
  if (names.length > 0 && !names.includes(name)) continue;
  const crashed = new Promise((resolve) => (crash = resolve));
  process.send({ name, played: await play(trait, benchrest, { crashed, hangs: !isOurs && MENDED[name] === 'hangs' }) });
}
process.disconnect();
process.exit();
