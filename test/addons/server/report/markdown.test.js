import { expect } from 'chai';

import { REPORTERS } from '../../../../lib/core/report/formats/index.js';
import { literalResult } from '../../../support/literal-result.js';

const RENDER = new Map(await Promise.all(REPORTERS.map(async ({ name, load }) => [name, (await load()).render])));

describe('Markdown of a run with a server', () => {
  it('Markdown has the side of the server, the hottest functions, and links to traces', () => {
    const frame = { name: 'hash', origin: 'own', file: 'lib/hash.js', line: 2, self: 90, total: 90 };
    const profile = { kind: 'cpu', unit: 'ms', total: 100, duration: 1000, processes: [], frames: [frame] };
    const tree = { frames: [0], parents: [-1], self: [90] };
    const traces = ['https://t.example/1', 'javascript:1'].map((link, i) => ({ id: `${i}`, sampled: true, link }));
    const text = RENDER.get('markdown')({
      ...literalResult(),
      servers: [{ source: 'process', cpuCores: 0.98, gcShare: 0.04, conclusions: [{ message: 'one thread' }] }],
      profiles: [{ ...profile, tree }],
      exemplars: { slowest: traces.map((trace) => ({ operation: 'GET /', serviceTime: 9, trace })) },
    });
    for (const line of [
      'server: 0.98 cores · GC 4.0 %',
      '- one thread',
      'Active time: 100 ms in 1.00 s',
      '| hash | lib/hash.js:2 | 90 % |',
      '- 9.00 ms  GET /  [0](<https://t.example/1>)',
      '- 9.00 ms  GET /  1',
    ])
      expect(text.split('\n')).to.include(line);
  });
});
