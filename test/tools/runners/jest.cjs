const benchrest = require('bench-rest');
const { assertThresholds } = require('bench-rest/results');
const { startTarget } = require('bench-rest/target');

// Starts of threads take longer than the 5 s of Jest on a busy machine.
jest.setTimeout(60_000);

describe('bench-rest in Jest', () => {
  let target;
  beforeAll(async () => {
    target = await startTarget();
  });
  afterAll(() => target.close());

  it('runs a flow, in this thread and in workers', async () => {
    const get = { get: `${target.url}/items/#{INDEX}` };
    const flow = { main: [{ put: get.get, json: { name: 'a' }, afterHooks: ['verify2XX'] }, get] };
    const result = await benchrest(flow, { limit: 2, iterations: 10 });
    expect(result.errorCount).toBe(0);
    assertThresholds(result, 'errors<1');
    expect(() => assertThresholds(result, 'errors>1')).toThrow('errors');
    const { stats } = await benchrest({ main: [get] }, { limit: 2, iterations: 10, workers: 2 });
    expect(stats.main.meter.count).toBe(10);
  });

  it('names a misspelled option', () => {
    expect(() => benchrest(target.url, { limt: 1, iterations: 1 })).toThrow('did you mean limit?');
  });
});
