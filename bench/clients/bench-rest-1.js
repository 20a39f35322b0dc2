import benchrest from 'bench-rest-1';

const [url, work, iterations, connections] = process.argv.slice(2);
const flows = {
  'plain-get': { main: [{ get: `${url}/` }] },
  'put-get': { main: [{ put: `${url}/foo_#{INDEX}`, json: 'mydata_#{INDEX}' }, { get: `${url}/foo_#{INDEX}` }] },
};
const flow = flows[work];

benchrest(flow, { iterations: Number(iterations), limit: Number(connections) })
  .on('error', () => {}) // counted, and printed at the end
  .on('end', (stats, errors) => {
    const requests = stats.main.meter.count * flow.main.length;
    process.stdout.write(`${JSON.stringify({ requests, seconds: stats.totalElapsed / 1000, errors })}\n`);
  });
