import { expect } from 'chai';

import { routesOf } from '../../../../lib/addons/server/recorders/index.js';

const stepOf = (name, path, method = 'GET') => ({ name, route: { method, path } });
const routes = (...main) => routesOf({ main });

function found(flow, method, url) {
  const { names, patterns } = flow;
  const pattern = patterns.find((one) => one.method === method && new RegExp(one.url).test(url));
  return pattern && names[pattern.operation];
}

describe('routes of a flow', () => {
  const flow = routes(
    stepOf('item', '/items/#{INDEX}'),
    stepOf('latest', '/items/latest'),
    stepOf('comments', '/items/#{INDEX}/comments'),
    stepOf('search', '/search?q=#{word}&page=1'),
    stepOf('slow', '/search?q=slow#{word}&page=1'),
    stepOf('sorted', '/items/#{INDEX}?sort=#{by}'),
    stepOf('both', '/#{a}#{b}.json'),
    stepOf('post', '/items', 'POST'),
  );
  for (const [method, url, expected] of [
    ['GET', '/items/12', 'item'],
    ['GET', '/items/latest', 'latest'],
    ['GET', '/items/latest?x=1', 'latest'],
    ['GET', '/items/12/comments', 'comments'],
    ['GET', '/items/12?page=2', 'item'],
    ['GET', '/items/12/others', undefined],
    ['GET', '/search?q=a/b&page=1', 'search'],
    ['GET', '/search?q=slow1&page=1', 'slow'],
    ['GET', '/search', 'search'],
    ['GET', '/ab.json', 'both'],
    ['GET', '/abxjson', undefined],
    ['POST', '/items', 'post'],
    ['GET', '/items', undefined],
  ])
    it(`${method} ${url}`, () => expect(found(flow, method, url)).to.equal(expected));

  it('a URL that is too long for a message leaves out none of the others', () => {
    const { names } = routes(stepOf('first', '/a'), stepOf('long', `/${'x'.repeat(20_000)}`), stepOf('last', '/b'));
    expect(names).to.deep.equal(['first', 'last']);
  });

  it('the patterns of many URLs fit a message of 64 kB', () => {
    const dots = '.'.repeat(100);
    const many = routes(...Array.from({ length: 1000 }, (_, i) => stepOf(`GET ${i}`, `/${i}/${dots}`)));
    expect(many.names.length).to.be.within(20, 1000);
    expect(JSON.stringify({ kind: 'profile', operations: many }).length).to.be.below(64 * 1024);
  });
});
