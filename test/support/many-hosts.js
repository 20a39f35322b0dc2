import { createEndpoints } from '../../lib/core/http/endpoint.js';
import { heapInUse } from '../faults/ground.js';
import { transporting } from './transports.js';

/** How many bytes the heap has grown by connections to 18,000 more hosts, which were closed. @type {(options: object, http2?: 'prior-knowledge') => Promise<number>} */
export const heapOfManyHosts = (options, http2) =>
  transporting(
    'builtin',
    (transport) => {
      const endpointOf = createEndpoints();
      const generation = {};
      const visit = (from, to) => {
        for (let i = from; i < to; i++)
          transport
            .connect(endpointOf(new URL(`http://h${i}.test/`), {}, { version: http2 }), undefined, generation)
            .close();
      };
      visit(0, 2000);
      const before = heapInUse();
      visit(2000, 20_000);
      return heapInUse() - before;
    },
    options,
  );
