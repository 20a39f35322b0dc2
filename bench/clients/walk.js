// One run with the profiler of V8, and one without it: node bench/clients/walk.js URL SECONDS. Prints JSON: requests, CPU in
// microseconds (of the run without it), and samples by the path of their function in lib/core, or '(node)', '(native)' …
import { Session } from 'node:inspector/promises';

import benchrest from '../../index.js';

const USERS = 50;
/** us between samples */
const INTERVAL = 100;
const CORE = new URL('../../lib/core/', import.meta.url).href;

const [url, seconds] = process.argv.slice(2);

/** Runs in this thread, so that the profile has what the run does. */
const run = () => benchrest(url, { limit: USERS, duration: Number(seconds) * 1000, progress: 0 });

// V8 compiles meanwhile
await run();
const before = process.cpuUsage();
const { stats } = await run();
const { user, system } = process.cpuUsage(before);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
await session.post('Profiler.start');
await run();
const { profile } = await session.post('Profiler.stop');
session.disconnect();

const samples = {};
for (const { callFrame, hitCount } of profile.nodes) {
  const owner = ownerOf(callFrame);
  samples[owner] = (samples[owner] ?? 0) + hitCount;
}
process.stdout.write(JSON.stringify({ requests: stats.requests.count, cpuUs: user + system, samples }));

/** V8 names what has no function, and a function of native code has no file. */
function ownerOf({ url: source, functionName }) {
  if (source.startsWith(CORE)) return source.slice(CORE.length);
  if (source.startsWith('node:')) return '(node)';
  if (source !== '') return '(other)';
  return functionName === '(idle)' || functionName === '(garbage collector)' ? functionName : '(native)';
}
