import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { ROOT, command } from './support/command.js';
import { mochaCounts } from './support/programs.js';

/** What each example sends in 30 iterations: answers by status, and the timers it adds to the stats. */
const EXPECTED = {
  'simple.js': { statusCodes: { 200: 30 } },
  'put-get.js': { statusCodes: { 200: 30, 201: 30 } },
  'hooks.js': { statusCodes: { 200: 30, 201: 30, 204: 30 } },
  'step-timers.js': { statusCodes: { 200: 30, 201: 30 }, timers: ['step_0', 'step_1', 'check'] },
  'login.js': { statusCodes: { 200: 60 } },
  'etags.js': { statusCodes: { 200: 30, 201: 30, 204: 30, 304: 30 } },
  'form-upload.js': { statusCodes: { 201: 60 } },
  'shop/flow.js': { statusCodes: { 200: 116, 201: 2, 204: 2 } },
  'items.yaml': { statusCodes: { 200: 30, 201: 30, 204: 30 } },
};

/** Files that are no flows: other tests check them. */
const isNoFlow = (name) =>
  ['addon.js', 'docker-compose.yaml', 'grafana-dashboard.json', 'clients', 'llm.yaml', 'llm-server.js'].includes(
    name,
  ) || name.endsWith('.test.js');

describe('the examples', () => {
  const names = readdirSync(join(ROOT, 'examples'));

  it('all run in this test', () => {
    const flows = names.filter((name) => !isNoFlow(name));
    expect(flows.map((name) => (name.includes('.') ? name : `${name}/flow.js`))).to.have.members(Object.keys(EXPECTED));
  });

  for (const [name, { statusCodes, timers = [] }] of Object.entries(EXPECTED)) {
    it(`${name} runs unchanged`, async () => {
      const { code, stdout, stderr } = await command([
        '--serve',
        '-n',
        '30',
        '-c',
        '5',
        '--json',
        join('examples', name),
      ]);
      expect(stderr).to.equal('');
      expect(code).to.equal(0);
      const stats = JSON.parse(stdout);
      expect(stats.requests.statusCodes).to.deep.equal(Object.fromEntries(Object.entries(statusCodes)));
      for (const timer of timers) expect(stats.metrics[timer].histogram.count, timer).to.equal(30);
    });
  }

  it('p95.test.js runs in mocha', async () => {
    expect(await mochaCounts(join(ROOT, 'examples/p95.test.js'))).to.include({ passes: 1, failures: 0 });
  });
});
