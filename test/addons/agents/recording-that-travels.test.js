import { expect } from 'chai';

import { hashFlow, loadFlow } from '../../../lib/core/flow/source/load.js';
import { leanRecording } from '../../../lib/addons/agents/pack-files.js';

const RECORDING = {
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: '2026-11-22T12:00:00.000Z',
        time: 5,
        request: {
          method: 'POST',
          url: 'http://shop.test/cart',
          headers: [
            { name: 'Cookie', value: 'sid=secret' },
            { name: 'accept', value: '*/*' },
          ],
          cookies: [{ name: 'sid', value: 'secret' }],
          postData: { mimeType: 'text/plain', text: 'body' },
        },
        response: { status: 200, headers: [{ name: 'Set-Cookie', value: 'sid=secret' }], content: { text: 'secret' } },
      },
    ],
  },
};

describe('a recording that travels to agents', () => {
  const flowOf = async (bytes) => (await loadFlow({ bytes, from: 'standard input' })).flow;

  it('has neither cookies nor responses, and is the same flow', async () => {
    const whole = Buffer.from(JSON.stringify(RECORDING));
    const lean = Buffer.from(await leanRecording(whole));
    expect(lean.toString()).not.to.include('secret');
    expect(hashFlow(await flowOf(lean))).to.equal(hashFlow(await flowOf(whole)));
  });

  it('reads YAML, and JSON with a byte order mark', async () => {
    const yaml = Buffer.from('log: { entries: [{ request: { method: GET, url: "http://a/" } }] }');
    expect(JSON.parse(Buffer.from(await leanRecording(yaml)).toString()).log.entries).to.have.length(1);
    const marked = Buffer.from(`\ufeff${JSON.stringify(RECORDING)}`);
    expect(JSON.parse(Buffer.from(await leanRecording(marked)).toString()).log.entries).to.have.length(1);
  });
});
