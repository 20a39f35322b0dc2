import { NAMES } from '../support/transports.js';
import { provoke } from './ground.js';
import { SERVER_FAULTS } from './server-faults.js';

for (const httpClient of NAMES) {
  describe(`a server fault affects only the requests that meet it: ${httpClient}`, () => {
    for (const fault of SERVER_FAULTS) it(`${fault.id} ${fault.what}`, () => provoke(fault, httpClient));
  });
}
