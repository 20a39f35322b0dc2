import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { droppedPath } from '../../../lib/core/flow/request-url.js';

const dropped = (given, base) => droppedPath(given, new URL(given, base), new URL(base));

describe('droppedPath', () => {
  for (const [given, base, why] of [
    ['/x', 'http://h', 'the base URL has no path'],
    ['/x', 'http://h/', 'its path is /'],
    ['x', 'http://h/api/', 'a path without / is added to a base URL with one at its end'],
    ['/api', 'http://h/api', 'the path begins with that of the base URL'],
    ['/api/x', 'http://h/api/', 'the path begins with that of the base URL, which ends in /'],
    ['?q=1', 'http://h/api', 'a query alone keeps the path'],
    ['../x', 'http://h/api/', '../ is deliberate'],
  ])
    it(`${given} after ${base} has no notice: ${why}`, () => expect(dropped(given, base)).to.equal(null));

  for (const [given, base, sent, remedy] of [
    ['/x', 'http://h/api/v1', 'http://h/x', 'for http://h/api/v1/x write "x" and the base URL http://h/api/v1/'],
    ['/x', 'http://h/api/v1/', 'http://h/x', 'for http://h/api/v1/x write "x" and the base URL http://h/api/v1/'],
    ['x', 'http://h/api/v1', 'http://h/api/x', 'for http://h/api/v1/x write "x" and the base URL http://h/api/v1/'],
    ['/apis', 'http://u:p@h/api', 'http://h/apis', 'for http://h/api/apis write "apis" and the base URL http://h/api/'],
    ['/#{INDEX}?a=b', 'http://h/api', 'http://h/#{INDEX}?a=b', 'for http://h/api/#{INDEX}?a=b write "#{INDEX}?a=b"'],
  ])
    it(`${given} after ${base} is sent to ${sent}`, () => {
      expect(dropped(given, base)).to.include(`is sent to ${sent}, without the path of the base URL http://h/api`);
      expect(dropped(given, base)).to.include(remedy).and.not.include('u:p');
    });

  it('a URL that a function or a token gives causes no notice: it is not known before the run', () => {
    const noticesFor = (get) => {
      const read = readFlow({ vars: { path: 'x' }, main: [{ get }] });
      read.compile({ baseUrl: 'http://h/api/' });
      return read.notices.length;
    };
    expect([() => 'x', '#{path}', '/x'].map(noticesFor)).to.deep.equal([0, 0, 1]);
  });
});
