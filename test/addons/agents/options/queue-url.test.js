import { expect } from 'chai';

import { queueText, readQueueUrl } from '../../../../lib/addons/agents/options/agents.js';

describe('the URL of a queue', () => {
  it('reads host, port, database, user and password', () => {
    expect(readQueueUrl('redis://joe:a%2Fb@host:7000/3')).to.deep.equal({
      host: 'host',
      port: 7000,
      database: 3,
      isSecure: false,
      user: 'joe',
      password: 'a/b',
    });
    expect(readQueueUrl('rediss://host')).to.include({
      port: 6379,
      database: 0,
      isSecure: true,
      user: '',
      password: '',
    });
    expect(readQueueUrl('redis://[::1]:7000')).to.include({ host: '::1' });
  });

  for (const url of [
    'http://host',
    'redis:',
    'redis://',
    'host:6379',
    'redis://host/x',
    'redis://host?a=1',
    'redis://joe:50%off@host',
    'redis://%zz@host',
    '',
    undefined,
    5,
  ])
    it(`refuses ${url}`, () => expect(readQueueUrl(url)).to.equal(null));

  it('names the place without user and password', () => {
    expect(queueText(readQueueUrl('rediss://joe:secret@host/2'))).to.equal('rediss://host:6379/2');
    expect(queueText(readQueueUrl('redis://[::1]:7000'))).to.equal('redis://[::1]:7000');
  });
});
