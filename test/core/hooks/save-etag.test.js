import { expect } from 'chai';

import { HOOKS } from '../../../lib/core/hooks/index.js';

const saveEtag = HOOKS.find(({ name }) => name === 'saveEtag');

/** `all` after a response. */
const after = ({
  method = 'GET',
  uri = 'http://a/items',
  status = 200,
  headers = { etag: '"1"' },
  err = null,
} = {}) => ({
  err,
  env: {},
  requestOptions: { method, uri },
  response: { statusCode: status, headers },
});

describe('the hook saveEtag', () => {
  const rows = [
    ['the etag of a response is saved under its URI', {}, { 'http://a/items': '"1"' }],
    [
      'after a POST it is saved under the Location, as written and as a URL',
      { method: 'POST', status: 201, headers: { etag: '"2"', location: '/items/7' } },
      { '/items/7': '"2"', 'http://a/items/7': '"2"' },
    ],
    ['a POST without a Location is saved under its URI', { method: 'POST' }, { 'http://a/items': '"1"' }],
    ['a response without an etag saves nothing', { headers: {} }, undefined],
    ['a status outside of 200 to 299 saves nothing', { status: 304 }, undefined],
    ['a failed request saves nothing', { err: new Error('reset') }, undefined],
  ];
  for (const [title, given, etags] of rows) {
    it(title, () => expect({ ...saveEtag.hook(after(given)).env.etags }).to.deep.equal(etags ?? {}));
  }
});
