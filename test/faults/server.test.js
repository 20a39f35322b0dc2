import { IS_FULL } from '../support/scale.js';
import { NAMES } from '../support/transports.js';
import { provoke } from './ground.js';
import { SERVER_FAULTS } from './server-faults.js';

for (const httpClient of NAMES) {
  describe(`a server fault affects only the requests that meet it: ${httpClient}`, () => {
    // with the small counts undici has every second one
    for (const [i, fault] of SERVER_FAULTS.entries())
      if (IS_FULL || httpClient === 'builtin' || i % 2 === 1)
        it(`${fault.id} ${fault.what}`, () => provoke(fault, httpClient));
  });
}
