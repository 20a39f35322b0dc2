import { TRANSPORTS } from '../../lib/core/transport/index.js';

/**
 * Command lines, and what every shell offers for their last word, in a folder with flow.mjs, photo.png and other files.
 */
export const COMPLETIONS = [
  ['bench-rest se', ['serve']],
  ['bench-rest -n 10 se', []],
  ['bench-rest flow.mjs se', []],
  ['bench-rest --iter', ['--iterations']],
  ['bench-rest flow.mjs --ra', ['--ramp-up', '--rate', '--rate-per-user']],
  ['bench-rest --format ma', ['markdown']],
  ['bench-rest --format=ma', ['markdown']],
  ['bench-rest --http-client ', TRANSPORTS.map(({ name }) => name).sort()],
  ['bench-rest -n ', []],
  ['bench-rest -o pho', ['photo.png']],
  ['bench-rest flow', ['flow.mjs', 'flows']],
  ['bench-rest serve --p', ['--percent', '--port']],
  ['bench-rest report fir', ['first.json']],
  ['bench-rest report --format hg', ['hgrm']],
  ['bench-rest list hoo', ['hooks']],
  ['bench-rest completion ', ['bash', 'fish', 'zsh']],
  ['bench-rest help me', ['merge']],
];

/** The same for folders; zsh tries other files, too, of which the captured words do not tell which it shows. */
export const FOLDERS = [
  ['bench-rest report f', ['first.json', 'flows']],
  ['bench-rest -o flows/', ['flows/b.mjs', 'flows/c.png']],
  ['bench-rest flows/', ['flows/b.mjs']],
];
