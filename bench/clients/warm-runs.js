/**
 * Prints what one run of `benchrest()` with one request costs in a program that has run it before, in ms of CPU: the least
 * of some series. `node warm-runs.js MODULE URL`.
 */
const [module, url] = process.argv.slice(2);
const { default: benchrest } = await import(module);
const RUNS = 50;
const SERIES = 8;

let least = Infinity;
for (let i = 0; i < SERIES; i++) {
  const before = process.cpuUsage();
  for (let j = 0; j < RUNS; j++) await benchrest(url, { iterations: 1, limit: 1 });
  const { user, system } = process.cpuUsage(before);
  // the first series compiles
  if (i > 0) least = Math.min(least, (user + system) / 1000 / RUNS);
}
process.stdout.write(String(least));
