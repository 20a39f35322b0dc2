import { measure, ours, startRecorder } from './arrivals.js';
import { goalTable } from './goal.js';
import { median } from './median.js';
import { end } from './processes.js';

const ROUNDS = 3;
/** As many requests per second with few virtual users as with many: only the groups of responses differ. */
const DELAYS = [
  { connections: 50, delay: 5 },
  { connections: 1000, delay: 100 },
];
const RATES = [100, 1000, 5000];
const SECONDS = 4;

/**
 * Prints what many connections do to the figures: the service time above the delay that the service itself measured,
 * and how many of the planned iterations arrived with 1,000 virtual users.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function connectionFigures({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const { target, url } = await startRecorder();
  const settings = { target, url, seconds };
  try {
    say('\nservice time above the delay of the service, medians of the rounds');
    const above = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [i, { connections, delay }] of DELAYS.entries()) {
        const run = await measure(ours('closed', []), { ...settings, connections, path: `/delay/${delay}` });
        above[i].push(1000 * (run.times.service.median - run.delay));
      }
    for (const [i, { connections, delay }] of DELAYS.entries())
      say(`  ${`${connections} connections, ${delay} ms`.padEnd(26)} ${median(above[i]).toFixed(0).padStart(5)} us`);
    const what = 'service time: 1,000 connections above 50, us';
    const goals = [{ what, sign: '<=', bound: 20, value: median(above[1]) - median(above[0]) }];
    for (const rate of RATES) {
      const { count, asked } = await measure(ours('open', []), { ...settings, rate, connections: 1000 });
      goals.push({
        what: `${rate}/s, 1,000 virtual users: arrivals missing`,
        sign: '<=',
        bound: 0,
        value: asked - count,
      });
    }
    say(goalTable(goals));
  } finally {
    await end(target);
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
