import { expect } from 'chai';

import { splitUnixSocket } from '../../../lib/flow/url-schemes.js';

describe('flow/unix-socket', () => {
  for (const [text, socketPath, url] of [
    ['unix:/run/app.sock', '/run/app.sock', 'http://localhost/'],
    ['unix:/run/app.sock:/items?x=1', '/run/app.sock', 'http://localhost/items?x=1'],
    ['http://unix:/run/app.sock:/items', '/run/app.sock', 'http://localhost/items'],
    ['HTTPS://unix:/run/app.sock:/', '/run/app.sock', 'https://localhost/'],
  ]) {
    it(`${text} is ${url} of ${socketPath}`, () => expect(splitUnixSocket(text)).to.deep.equal({ socketPath, url }));
  }
  for (const text of ['http://unix/', 'unix:relative.sock:/', 'http://a/unix:/b', '']) {
    it(`${JSON.stringify(text)} is no unix socket`, () => expect(splitUnixSocket(text)).to.equal(null));
  }
});
