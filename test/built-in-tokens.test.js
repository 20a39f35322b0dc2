import { expect } from 'chai';

import benchrest from '../index.js';
import { command as run } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('built-in tokens', () => {
  it('keep their type as a whole value of JSON, are text within texts, and are encoded for their place', () =>
    serving(ok, async (url, seen) => {
      const json = {
        id: '#{uuid}',
        same: '#{uuid}',
        other: '#{uuid.b}',
        count: '#{randomInt(5,5)}',
        text: '#{randomInt(5,5):text}',
        within: 'n#{randomInt(5,5)}',
        at: '#{timestampMs}',
        on: '#{isoTimestamp}',
        index: '#{INDEX}',
        number: '#{INDEX:number}',
        shard: '#{SHARD:number}',
      };
      const item = '#{randomItem(a b&c)}';
      const flow = [
        { post: `${url}/#{randomItem(a b&c)}`, json, headers: { x: item, id: '#{uuid}' } },
        { post: url, form: { item }, qs: { item } },
      ];
      const { stats } = await benchrest(flow, { limit: 1, iterations: 1 });
      expect(stats.errors.details).to.deep.equal([]);
      const [first, second] = seen;
      const { id, same, other, at, on, ...rest } = JSON.parse(first.body);
      expect(id).to.match(UUID);
      expect([same, first.headers.id]).to.deep.equal([id, id]);
      expect(other).to.match(UUID).and.not.equal(id);
      expect(at).to.be.a('number');
      expect(Date.parse(on)).to.be.closeTo(at, 60_000);
      expect(rest).to.deep.equal({ count: 5, text: '5', within: 'n5', index: '0', number: 0, shard: 1 });
      expect([first.url, first.headers.x]).to.deep.equal(['/a%20b%26c', 'a b&c']);
      expect([second.url, second.body]).to.deep.equal(['/?item=a%20b%26c', 'item=a%20b%26c']);
    }));

  itSlow('of one seed are the same in every run, with any number of workers', () =>
    serving(ok, async (url, seen) => {
      const path = '#{uuid}/#{randomInt(1,1000000)}/#{randomItem(a,b,c)}/#{randomString(9)}';
      const flow = { before: [`/before/${path}`], main: [`/#{INDEX}/${path}`, `/#{INDEX}/second/${path}`] };
      const options = { baseUrl: url, limit: 4, iterations: 24 };
      const sent = async (more) => {
        seen.length = 0;
        const { errorCount } = await here('workers', () => benchrest(flow, { ...options, ...more }));
        expect(errorCount).to.equal(0);
        return seen.map((request) => request.url).sort();
      };
      const urls = await sent({});
      expect(new Set(urls.map((one) => one.split('/').at(-1))).size).to.equal(49);
      expect(await sent({ workers: 2 })).to.deep.equal(urls);
      expect(await sent({ seed: 2 })).to.not.deep.equal(urls);
    }),
  );

  it('VU is the number of the virtual user, as all.vu, also of requests that are rendered before the start', () =>
    serving(ok, async (url, seen) => {
      const users = [];
      const afterHooks = [({ vu }) => void users.push(vu)];
      const main = [{ post: `${url}/#{VU}`, json: { vu: '#{VU:number}' }, afterHooks }];
      await benchrest({ main }, { limit: 3, iterations: 9, maxRequestsPerUser: 3, prealloc: 9 });
      const numbers = seen.map((request) => Number(request.url.slice(1)));
      expect(numbers.sort()).to.deep.equal(users.sort());
      expect(new Set(numbers)).to.deep.equal(new Set([0, 1, 2]));
      expect(() => benchrest({ before: [`${url}/#{VU}`], main }, { limit: 1, iterations: 1 })).to.throw(
        'use beforeMain',
      );
    }));

  it('WORKER is the number of the thread, SHARD that of the shard', () =>
    serving(ok, async (url, seen) => {
      // each virtual user has its share, however late its worker begins
      const options = { baseUrl: url, limit: 4, iterations: 8, maxRequestsPerUser: 2 };
      const flow = { main: ['/#{WORKER}/#{SHARD}'], after: ['/after/#{WORKER}'] };
      await here('workers', () => benchrest(flow, { ...options, workers: 2 }));
      const paths = [...new Set(seen.map((request) => request.url))];
      expect(paths).to.include.members(['/0/1', '/1/1', '/after/0']).and.to.have.lengthOf(3);
      seen.length = 0;
      await benchrest(flow, { ...options, shard: '2/2' });
      expect(new Set(seen.map((request) => request.url))).to.deep.equal(new Set(['/0/2', '/after/0']));
    }));

  it('that have a value for each request alone are not rendered by prealloc', () =>
    serving(ok, async (url, seen) => {
      const { errorCount } = await benchrest(`${url}/#{uuid}`, { limit: 1, iterations: 2, prealloc: 2 });
      expect([errorCount, new Set(seen.map((request) => request.url)).size]).to.deep.equal([0, 2]);
    }));

  it('are listed by bench-rest list, and misspelled ones are refused with the nearest name', async () => {
    const { stdout } = await run(['list', 'tokens']);
    for (const name of ['#{uuid}', '#{randomInt(1,100)}', '#{env.NAME}', '#{isoTimestamp}', '#{SHARD}'])
      expect(stdout).to.include(name);
    const { code, stderr } = await run(['http://a/#{randomint(1,2)}']);
    expect(code).to.equal(2);
    expect(stderr).to.include('#{randomint(1,2)} (column 10) is not a token. Did you mean #{randomInt}?');
  });
});
