import { expect } from 'chai';

import { CAPACITY_FORMATS } from '../../../../lib/addons/capacity/formats.js';
import { remarksOf } from '../../../../lib/addons/capacity/report/rows.js';
import { literalCapacity } from '../../../support/literal-capacity.js';
import { checkerOf } from '../../../support/schemas.js';

const rendered = async (name, capacity = literalCapacity()) =>
  (await CAPACITY_FORMATS.find((one) => one.name === name).load()).render(capacity, { width: 100 });

describe('reports of a capacity', () => {
  it('the literal capacity of the tests conforms to the schema', () => {
    const isCapacity = checkerOf('capacity');
    isCapacity(literalCapacity());
    expect(isCapacity.errors).to.equal(null);
  });

  it('text has the steps, the knee and the answer', async () => {
    expect(await rendered('text')).to.equal(`highest arrival rate of app.js against http://127.0.0.1:8123, within 5 %

 load  throughput  p50, ms    p95    p99  errors
 20/s      20.0/s     20.4   19.2   21.3       0  ✓
 80/s      79.9/s     20.3   19.1   21.2       0  ✓
320/s     199.2/s    1,620  2,899  3,221       0  ✗  p99<300ms failed with 3,221 ms
 40/s      40.0/s     20.4   19.4   21.6       0  ✓  lets the service recover
198/s     197.8/s     25.8   44.9   49.9       0  ✓
208/s     199.4/s      391    673    748       0  ✗  p99<300ms failed with 748 ms
198/s     197.9/s     25.6   43.8   48.7       0  ✓  repeated

response times rise from 80/s on

The service holds 198/s (193 to 213/s): at 208/s p99<300ms failed with 748 ms
`);
  });

  it('Markdown begins with the answer, and escapes what it quotes', async () => {
    const text = await rendered('markdown');
    expect(text).to.match(/^### The service holds 198\/s \(193 to 213\/s\): at 208\/s p99&#60;300ms failed/);
    expect(text).to.include('| 198/s | 197.9/s | 25.6 | 43.8 | 48.7 | 0 | ✅ | repeated |');
  });

  it('JSON is the document', async () => {
    expect(JSON.parse(await rendered('json'))).to.deep.equal(literalCapacity());
  });

  it('the law of a search by users is named with its standard errors', () => {
    const scalability = {
      fits: true,
      message: 'contention limits',
      rate: { value: 100, error: 2 },
      contention: { value: 0.0512, error: 0.0031 },
      coherence: { value: 0, error: 0.0001 },
      peak: null,
    };
    expect(remarksOf({ ...literalCapacity(), by: 'users', scalability })).to.include(
      'Universal Scalability Law: 100.0 ± 2.00/s of one virtual user, contention 0.051 ± 0.0031, coherence 0 ± 0.0001 (standard errors)',
    );
  });

  it('a law that does not fit is named with its reason', async () => {
    const message = 'the Universal Scalability Law does not fit: throughput is typically 45 % away from the law';
    const capacity = { ...literalCapacity(), by: 'users', scalability: { fits: false, message } };
    for (const name of ['text', 'markdown', 'html']) expect(await rendered(name, capacity)).to.include(message);
  });
});
