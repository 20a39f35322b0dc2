import { expect } from 'chai';

import benchrest from '../../../index.js';
import { compileSignature } from '../../../lib/flow/aws-signature.js';
import { ok, serving } from '../../support/serve.js';

/** The credentials and the time of the test suite that AWS publishes for Signature Version 4. */
const AWS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};
const NOW = Date.UTC(2015, 7, 30, 12, 36, 0);
const signatureOf = (request, aws = AWS) => {
  const sign = compileSignature(aws, { mark: (text) => text }, () => NOW);
  const endpoint = { host: 'example.amazonaws.com' };
  const { fields } = sign({ method: 'GET', path: '/', fields: [], body: null, endpoint, ...request }, {});
  return fields;
};
const SCOPE = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=';

describe('flow/aws-signature', () => {
  for (const [name, request, names, signature] of [
    ['get-vanilla', {}, 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'post-vanilla',
      { method: 'POST' },
      'host;x-amz-date',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'get-vanilla-query-order-key-case',
      { path: '/?Param2=value2&Param1=value1' },
      'host;x-amz-date',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
  ])
    it(`the published vector ${name}`, () =>
      expect(signatureOf(request)).to.deep.equal([
        'X-Amz-Date',
        '20150830T123600Z',
        'Authorization',
        `${SCOPE}${names}, Signature=${signature}`,
      ]));

  it('S3 gets the hash of the body; a session token is sent and signed', () => {
    const fields = signatureOf({ body: 'x', method: 'PUT' }, { ...AWS, service: 's3', sessionToken: 'AQoDYXdzEPT' });
    expect(fields.slice(0, 6)).to.deep.equal([
      ...['X-Amz-Date', '20150830T123600Z', 'X-Amz-Security-Token', 'AQoDYXdzEPT'],
      ...['X-Amz-Content-Sha256', '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'],
    ]);
    expect(fields.at(-1)).to.include('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,');
  });

  it('operations are signed with credentials of the environment, which no output shows', () =>
    serving(ok, async (url, seen) => {
      process.env.TEST_AWS_SECRET = 'CANARY-secret-of-aws';
      const aws = { ...AWS, secretAccessKey: '#{env.TEST_AWS_SECRET}' };
      const traced = [];
      const { errorCount } = await benchrest(
        { get: `${url}/x?b=2&a=1`, aws },
        { limit: 1, iterations: 1, trace: (exchange) => traced.push(exchange) },
      );
      delete process.env.TEST_AWS_SECRET;
      expect(errorCount).to.equal(0);
      expect(seen[0].headers.authorization).to.match(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
      expect(seen[0].headers['x-amz-date']).to.match(/^\d{8}T\d{6}Z$/);
      expect(JSON.stringify(traced)).to.not.include('CANARY');
    }));

  it('missing and unknown members are refused', () => {
    expect(() => benchrest({ get: 'http://127.0.0.1:9/', aws: { key: 'x' } }, { limit: 1, iterations: 1 })).to.throw(
      /aws\.key: unknown property/,
    );
    expect(() => benchrest({ get: 'http://127.0.0.1:9/', aws: { region: 'x' } }, { limit: 1, iterations: 1 })).to.throw(
      /aws: expected an object such as/,
    );
  });
});
