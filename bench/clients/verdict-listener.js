// A program whose listener of responses takes its time: [url, rate, seconds, ms].
import { benchrest } from '../../index.js';
import { burn } from '../flows/verdict.js';

const [url, rate, seconds, ms] = process.argv.slice(2);
const run = benchrest(url, { rate: Number(rate), duration: `${seconds}s`, warmup: '300ms', limit: 50, progress: 0 });
run.on('response', () => burn(Number(ms)));
const { stats } = await run;
process.stdout.write(JSON.stringify(stats));
