import { expect } from 'chai';

import { startTargetThread } from '../../../lib/addons/serve/thread.js';

describe('the embedded service in a thread', () => {
  it('the service answers until it is closed', async () => {
    const { url, close } = await startTargetThread({});
    const response = await fetch(url);
    await response.text();
    expect(response.status).to.be.below(500);
    await close();
    expect(await fetch(url).catch((error) => error)).to.be.an('error');
  });

  it('options that it cannot serve with are E_TARGET', async () => {
    const error = await startTargetThread({ percent: 5000 }).catch((cause) => cause);
    expect(error).to.have.property('code', 'E_TARGET');
  });
});
