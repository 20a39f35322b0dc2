import { benchrest } from '../../index.js';

const [url, iterations, limit = '50'] = process.argv.slice(2);

// Stays when the run is over, until it is ended or left alone: its memory is still to be read.
process.on('disconnect', () => process.exit());

const run = benchrest(url, { iterations: Number(iterations), limit: Number(limit), progress: 250 })
  .on('progress', (stats) => process.send({ iterations: stats.main?.meter.count ?? 0 }))
  .on('error', () => {}); // counted, and told at the end
const { errorCount } = await run;
process.send({ iterations: Number(iterations), isOver: true, errors: errorCount });
