import { measure, ours, startRecorder } from './arrivals.js';
import { goalTable } from './goal.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { end } from './processes.js';

const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 1000;
const RATES = [100, 1000, 5000];

/** Loads of {@link CONNECTIONS} connections, whose service times a group of responses could make longer. */
const LOADS = [
  { name: 'closed, 1,000 responses at once', delay: 100 },
  { name: 'closed, responses of each ms', delay: 20 },
  { name: 'open, 5,000/s', delay: 20, rate: 5000 },
];

/** @type {{ name: string, sender: ReturnType<typeof ours> }[]} */
const SIDES = [
  { name: 'in groups', sender: ours('grouped', []) },
  { name: 'one by one', sender: withImport(ours('ungrouped', []), pathInBench('clients/ungrouped.js')) },
];

/**
 * Prints what many connections do to the figures: the service time above the delay that the service itself measured, with
 * groups of responses and without, and how many of the planned iterations arrived with 1,000 virtual users.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function connectionFigures({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const { target, url } = await startRecorder();
  const settings = { target, url, seconds, connections: CONNECTIONS };
  const goals = [];
  try {
    say('\nservice time above the delay of the service, p50 of each round, us');
    for (const { name, delay, rate } of LOADS) {
      const above = SIDES.map(() => []);
      for (let round = 0; round < rounds; round++)
        for (const [side, { sender }] of SIDES.entries()) {
          const run = await measure(sender, { ...settings, rate, path: `/delay/${delay}` });
          above[side].push(1000 * (run.times.service.median - run.delays.median));
        }
      for (const [side, { name: how }] of SIDES.entries())
        say(`  ${`${name}, ${how}`.padEnd(46)}${above[side].map((us) => us.toFixed(0).padStart(6)).join('')}`);
      const [grouped, single] = above.map((all) => median(all));
      goals.push({ what: `${name}: groups add, us`, sign: '<=', bound: 20, value: grouped - single });
    }
    for (const rate of RATES) {
      const { count, asked } = await measure(ours('open', []), { ...settings, rate });
      goals.push({ what: `${rate}/s: arrivals missing`, sign: '<=', bound: 0, value: asked - count });
    }
    say(goalTable(goals));
  } finally {
    await end(target);
  }
}

/** @type {(sender: ReturnType<typeof ours>, path: string) => ReturnType<typeof ours>} */
function withImport(sender, path) {
  const command = (settings) => {
    const [node, ...rest] = sender.command(settings);
    return [node, '--import', path, ...rest];
  };
  return { ...sender, command };
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
