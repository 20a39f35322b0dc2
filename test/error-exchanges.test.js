import { expect } from 'chai';

import benchrest from '../index.js';
import { REFUSED_URL } from './support/faulty-server.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { suiteHere } from './support/threads-here.js';

/** /bad answers 503 with a secret, everything else 200. */
const answer = (req, res) => {
  if (req.url !== '/bad') return res.end('fine');
  res.writeHead(503, { 'content-type': 'application/json', 'set-cookie': 'sid=CANARY' });
  return res.end('{"error":"pool exhausted","token":"CANARY"}');
};
const headers = { authorization: 'Bearer CANARY' };
const body = { name: 'item #{INDEX}', password: 'CANARY' };

/** The exchanges of the groups of errors, by what failed. */
const exchangesOf = (main, options) =>
  serving(answer, async (baseUrl) => {
    const run = benchrest({ main, headers }, { baseUrl, limit: 1, iterations: 3, ...options });
    const { stats } = await run.on('error', () => {});
    expect(JSON.stringify(stats)).to.not.include('CANARY');
    return stats.errors.samples.map(({ exchange }) => exchange?.map((line) => line.replace(baseUrl, '')));
  });

describe('the sample of an error', () => {
  suiteHere('workers');

  for (const workers of [undefined, 2])
    it(`has the request and the response, without secrets${workers ? ', with workers too' : ''}`, async () => {
      const [lines, ...others] = await exchangesOf(['/', { post: '/bad', json: body }], {
        workers,
        limit: workers ?? 1,
      });
      expect(others).to.deep.equal([]);
      expect(lines[0]).to.equal('> POST /bad');
      expect(lines).to.include.members(['> authorization: ***', '< 503', '< content-type: application/json']);
      expect(lines.join()).to.match(/> \{"name":"item \d","password":"\*\*\*"\}/);
    });

  it('has the request of the operation if what middleware adds to it is malformed', async () => {
    const malform = (all) => void (all.env.jar = 5);
    const [lines] = await exchangesOf([{ get: '/', beforeHooks: [malform] }]);
    expect(lines[0]).to.equal('> GET /');
  });

  it('has the body of the response if hooks or checks read it', async () => {
    const kept = '< {"error":"pool exhausted","token":"***"}';
    const [[...hooked], [...expected]] = [
      (await exchangesOf([{ get: '/bad', afterHooks: ['verify2XX', (all) => all] }]))[0],
      (await exchangesOf([{ get: '/bad', expect: { body: 'nothing' } }]))[0],
    ];
    expect(hooked).to.include(kept);
    expect(expected).to.include(kept);
  });

  it('of an after-hook has the response that it saw', async () => {
    const fail = () => {
      throw new Error('bad');
    };
    const [lines] = await exchangesOf([{ get: '/', afterHooks: [fail] }]);
    expect(lines).to.include.members(['> GET /', '< 200', '< fine']);
  });

  it('of a before-hook has none: nothing was sent', async () => {
    const fail = (all) => {
      if (all.env.index > 0) throw new Error('bad');
      return all;
    };
    expect(await exchangesOf([{ get: '/', beforeHooks: [fail] }])).to.deep.equal([undefined]);
  });

  it('of a failed connection has the request and the error', async () => {
    const { stats } = await benchrest(REFUSED_URL, { limit: 1, iterations: 1 }).on('error', () => {});
    const [{ exchange, message }] = stats.errors.samples;
    expect(exchange).to.deep.equal([`> GET ${new URL(REFUSED_URL).href}`, `! ${message}`]);
  });

  it('is part of the report, at most twelve lines of it', () =>
    serving(answer, async (url) => {
      const args = ['-n', '3', '-e', `{ post: '${url}/bad', json: { a: 1 }, headers: { x1: 1, x2: 2, x3: 3, x4: 4 } }`];
      const { stdout } = await command(args);
      expect(stdout).to.match(/ × status in .*\n.*\n +> POST .*\/bad\n/);
      expect(stdout).to.match(/\n +\(\d more lines with --full\)\n/);
      expect((await command([...args, '--full'])).stdout).to.not.match(/more lines/);
    }));
});
