import { expect } from 'chai';

import benchrest from '../index.js';
import { serving } from './support/serve.js';
import { here } from './support/threads-here.js';

const FLOW = 'test/support/flows/user-state.mjs';

/** Logs in virtual users, and changes their cookies. */
function answer({ url }, res) {
  const { pathname, searchParams } = new URL(url, 'http://x');
  const vu = searchParams.get('vu');
  if (pathname === '/login') res.setHeader('set-cookie', [`sid=${vu}; Path=/`, 'seen=1; Path=/']);
  if (pathname === '/change') res.setHeader('set-cookie', ['sid=changed; Path=/', 'seen=; Max-Age=0; Path=/']);
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ token: `t${vu}` }));
}

/** Checks that each request of a virtual user has its state, and counts the requests of each path. */
function counted(seen) {
  const counts = {};
  for (const { url, headers } of seen) {
    const { pathname, searchParams } = new URL(url, 'http://x');
    counts[pathname] = (counts[pathname] ?? 0) + 1;
    if (!searchParams.has('i')) continue;
    const vu = searchParams.get('vu');
    const token = pathname === '/note' ? `t${vu} from begin` : `t${vu}`;
    expect({ url, cookie: headers.cookie, token: headers['x-token'] }).to.deep.equal({
      url,
      cookie: `sid=${vu}; seen=1`,
      token,
    });
  }
  return counts;
}
const each = (users, iterations) => ({
  '/login': users,
  '/me': iterations,
  '/note': iterations,
  '/change': iterations,
  '/logout': users,
});

describe('cookies, captures and variables that beforeUser leaves', () => {
  for (const [what, ...parts] of [
    ['', {}],
    [' after a warm-up', { warmup: '50ms' }],
    [' in workers', { workers: 2 }],
    [' in shards', { shard: '1/2' }, { shard: '2/2' }],
  ])
    it(`are the start of each iteration of the virtual user${what}, and of afterUser`, () =>
      here('workers', () =>
        serving(answer, async (url, seen) => {
          for (const part of parts) {
            const { stats } = await benchrest(FLOW, { baseUrl: url, limit: 3, iterations: 12, ...part });
            expect(stats.errors.count).to.equal(0);
          }
          const counts = counted(seen);
          if (parts[0].warmup) expect(counts).to.include({ '/login': 3, '/logout': 3 });
          else expect(counts).to.deep.equal(each(3, 12));
        }),
      ));

  it('begin again with the next attempt if beforeUser fails', () =>
    serving(answer, async (url, seen) => {
      let attempts = 0;
      const flow = {
        vars: { token: 'none' },
        beforeUser: async ({ vars, request }) => {
          vars.note = `attempt ${++attempts}`;
          await request({ get: `${url}/login?vu=0`, capture: { token: '$.token' } });
          if (attempts === 1) throw new Error('no login');
        },
        main: [{ get: `${url}/me`, headers: { 'x-note': ({ vars }) => vars.note } }],
      };
      await benchrest(flow, { limit: 1, iterations: 3 });
      const notes = seen.filter(({ url: path }) => path === '/me').map(({ headers }) => headers['x-note']);
      expect(notes).to.deep.equal(['attempt 2', 'attempt 2']);
    }));
});
