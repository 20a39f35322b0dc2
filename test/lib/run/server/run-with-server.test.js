import { expect } from 'chai';

import { runWithServer } from '../../../../lib/run/server/run-with-server.js';

describe('run/server/run-with-server', () => {
  it('a flow is planned before its server is started, and the server gets its place', async () => {
    const log = [];
    const start = { command: 'node app.js', env: { A: '1' }, cwd: 'app', timeout: 5, ready: '/health' };
    const problem = new Error('not started');
    const work = runWithServer(
      { isStopped: false },
      {
        options: { start, insecure: true },
        planFor(baseUrl) {
          log.push('planned');
          return { summary: { origins: [baseUrl] } };
        },
        onPlan: () => log.push('ready'),
        async startServer(settings, isCancelled) {
          log.push('started');
          const { origins, port, ...others } = settings;
          expect(origins[0]).to.equal(`http://127.0.0.1:${port}`);
          expect(others).to.deep.equal({
            ...start,
            socketPath: undefined,
            insecure: true,
            isPortFree: true,
            hasPreload: true,
          });
          expect(isCancelled()).to.equal(false);
          throw problem;
        },
      },
    );
    expect(await work.catch((error) => error)).to.equal(problem);
    expect(log).to.deep.equal(['planned', 'started']);
  });
});
