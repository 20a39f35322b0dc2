import { X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto';

import { expect } from 'chai';

import { Authority, certificateFor, issuerOf } from '../../../lib/addons/record/certificate.js';
import { Recorder } from '../../../lib/addons/record/recorder.js';
import { FrameReader } from '../../../lib/addons/record/upgrade.js';
import {
  bodyForTarget,
  codingOfText,
  fieldsForClient,
  fieldsForTarget,
  replaceOrigin,
  withTargetOrigin,
  withoutConnection,
} from '../../../lib/addons/record/rewrite.js';
import { CERTIFICATES } from '../../support/certificate.js';
import { itSlow } from '../../support/slow.js';
import { frame } from '../../support/web-socket-server.js';

const ORIGINS = { target: new URL('https://shop.test'), own: new URL('http://localhost:8080') };

describe('recorded frames', () => {
  const messagesIn = (bytes, size) => {
    const messages = [];
    const reader = new FrameReader((data) => messages.push(data));
    for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size));
    return messages;
  };
  const bytes = Buffer.concat([
    frame('one'),
    frame('two', { masked: true }),
    frame('a ping', { opcode: 9 }),
    frame('in ', { fin: false }),
    frame('between', { opcode: 10 }),
    frame('pieces', { opcode: 0 }),
    frame(Buffer.of(1, 2), { opcode: 2 }),
    frame('x'.repeat(300)),
  ]);

  for (const size of [1, 3, 1000])
    it(`messages are read from pieces of ${size} bytes`, () =>
      expect(messagesIn(bytes, size)).to.deep.equal(['one', 'two', 'in pieces', Buffer.of(1, 2), 'x'.repeat(300)]));

  it('a message above 1 MiB is left out and reported, the next one is read', () => {
    const head = Buffer.alloc(10);
    head[0] = 0x81;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(2 * 1024 * 1024), 2);
    const long = Buffer.concat([head, Buffer.alloc(2 * 1024 * 1024, 'x'), frame('next')]);
    expect(messagesIn(long, 64 * 1024)).to.deep.equal([null, 'next']);
  });
});

describe('record/recorder', () => {
  const MEBIBYTE = Buffer.alloc(1024 * 1024);
  const recorded = (recorder, mebibytes) => {
    const body = recorder.bytes();
    for (let i = 0; i < mebibytes; i++) body.add(MEBIBYTE);
    return body;
  };

  itSlow('bodies are kept up to 4 MiB each and 512 MiB in all; those that are not kept do not count', () => {
    const recorder = new Recorder();
    for (let i = 0; i < 129; i++) expect(recorded(recorder, 5).isCut).to.equal(true);
    for (let i = 0; i < 128; i++) expect(recorded(recorder, 4).isCut).to.equal(false);
    const further = recorded(recorder, 1);
    expect([further.isCut, further.size, further.take().length]).to.deep.equal([true, MEBIBYTE.length, 0]);
  });

  it('messages of WebSockets count among the bytes that are kept', () => {
    const recorder = new Recorder();
    for (let i = 0; i < 511; i++) expect(recorder.reserve(MEBIBYTE.length)).to.equal(true);
    expect(recorded(recorder, 1).isCut).to.equal(false);
    expect([recorder.reserve(1), recorder.reserve(0)]).to.deep.equal([false, true]);
  });
});

describe('record/rewrite', () => {
  it('fields of the connection, and those that Connection names, are left out', () =>
    expect(
      withoutConnection([
        ['Connection', 'close, X-Own'],
        ['X-Own', '1'],
        ['Transfer-Encoding', 'chunked'],
        ['A', 'b'],
      ]),
    ).to.deep.equal([['A', 'b']]));

  it('the target finds its own name in Host, Origin, Referer and Destination', () =>
    expect(
      fieldsForTarget(
        [
          ['Host', 'localhost:8080'],
          ['Origin', 'http://localhost:8080'],
          ['Referer', 'http://localhost:8080/a'],
          ['Destination', 'http://localhost:8080/b'],
          ['X', 'http://localhost:8080'],
        ],
        ORIGINS,
      ),
    ).to.deep.equal([
      ['Host', 'shop.test'],
      ['Origin', 'https://shop.test'],
      ['Referer', 'https://shop.test/a'],
      ['Destination', 'https://shop.test/b'],
      ['X', 'http://localhost:8080'],
    ]));

  it('Location and Link lead to the proxy, another host stays', () =>
    expect(
      fieldsForClient(
        [
          ['Location', 'https://shop.test/a'],
          ['location', 'https://shop.test.evil/'],
          ['Location', '/a'],
          ['Link', '<https://shop.test/?page=2>; rel="next", <https://shop.test>; rel="first"'],
        ],
        ORIGINS,
      ),
    ).to.deep.equal([
      ['Location', 'http://localhost:8080/a'],
      ['location', 'https://shop.test.evil/'],
      ['Location', '/a'],
      ['Link', '<http://localhost:8080/?page=2>; rel="next", <http://localhost:8080>; rel="first"'],
    ]));

  it('cookies lose their domain, and what needs TLS', () =>
    expect(
      fieldsForClient([['Set-Cookie', 'a=b; Domain=shop.test; Path=/; Secure; SameSite=None; HttpOnly']], ORIGINS),
    ).to.deep.equal([['Set-Cookie', 'a=b; Path=/; SameSite=Lax; HttpOnly']]));

  it('a cookie whose name needs TLS keeps it', () =>
    expect(fieldsForClient([['Set-Cookie', '__Host-a=b; Path=/; Secure']], ORIGINS)).to.deep.equal([
      ['Set-Cookie', '__Host-a=b; Path=/; Secure'],
    ]));

  for (const [type, coding, status, expected] of [
    ['application/problem+json; charset=utf-8', '', 200, 'identity'],
    ['text/html', 'gzip', 200, 'gzip'],
    ['text/html', 'br', 404, 'br'],
    ['text/html', 'zstd', 200, null],
    ['text/html', '', 206, null],
    ['text/html', 'gzip', 304, null],
    ['text/event-stream', '', 200, null],
    ['image/png', '', 200, null],
  ])
    it(`a body of ${type} ${coding} with ${status} is ${expected === null ? 'not ' : ''}rewritten`, () =>
      expect(
        codingOfText(
          [
            ['Content-Type', type],
            ['Content-Encoding', coding],
          ],
          status,
        ),
      ).to.equal(expected));

  it('addresses of the proxy in a path or a body become those of the target', () => {
    const path = '/login?to=http%3A%2F%2Flocalhost%3A8080%2Fa&b=http%3a%2f%2flocalhost%3a8080&c=http://localhost:80801';
    expect(withTargetOrigin(path, ORIGINS)).to.equal(
      '/login?to=https%3A%2F%2Fshop.test%2Fa&b=https%3a%2f%2fshop.test&c=http://localhost:80801',
    );
    const body = Buffer.from('{"to":"http:\\/\\/localhost:8080\\/ü"}');
    const fields = [['Content-Type', 'application/json']];
    expect(bodyForTarget(body, fields, ORIGINS).toString()).to.equal('{"to":"https:\\/\\/shop.test\\/ü"}');
    expect(bodyForTarget(body, [['Content-Type', 'image/png']], ORIGINS)).to.equal(body);
  });

  for (const size of [1, 7, 1000])
    it(`an origin is replaced in pieces of ${size} bytes, a longer host is not`, async () => {
      const text =
        'ü https://shop.test/a https:\\/\\/shop.test\\/b https://shop.tester https://shop.test:81 https://shop.test';
      const stream = replaceOrigin('https://shop.test', 'http://localhost:8080');
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
      stream.end();
      expect(Buffer.concat(await stream.toArray()).toString()).to.equal(
        'ü http://localhost:8080/a http:\\/\\/localhost:8080\\/b https://shop.tester https://shop.test:81 http://localhost:8080',
      );
    });
});

describe('record/certificate', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const authority = new X509Certificate(CERTIFICATES.middle.cert);
  const issuer = issuerOf(authority, createPrivateKey(CERTIFICATES.middle.key));
  /** @type {(host: string, from?: object) => X509Certificate} */
  const made = (host, from = issuer) => new X509Certificate(certificateFor(host, publicKey, from));

  for (const host of ['shop.test', 'xn--bcher-kva.example', `${'a'.repeat(60)}.${'b'.repeat(60)}.test`])
    it(`a certificate is one of its host and its authority: ${host}`, () => {
      const certificate = made(host);
      expect(certificate.checkHost(host)).to.equal(host);
      expect(certificate.checkHost('other.test')).to.equal(undefined);
      expect(certificate.checkIssued(authority)).to.equal(true);
      expect(certificate.verify(authority.publicKey)).to.equal(true);
      expect(certificate.ca).to.equal(false);
      expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
    });

  for (const address of ['127.0.0.1', '::1', '2001:db8::5:0:1', '::ffff:1.2.3.4'])
    it(`a certificate is one of an address: ${address}`, () =>
      expect(made(address).checkIP(address)).to.equal(address));

  for (const [type, options] of [
    ['rsa', { modulusLength: 2048 }],
    ['ec', { namedCurve: 'secp384r1' }],
    ['ed25519', {}],
  ])
    it(`a key of type ${type} signs`, () => {
      const keys = generateKeyPairSync(type, options);
      const certificate = made('shop.test', { ...issuer, key: keys.privateKey, keyId: Buffer.of(1, 2, 3) });
      expect(certificate.verify(keys.publicKey)).to.equal(true);
      expect(Date.parse(certificate.validFrom)).to.be.below(Date.now());
      expect(Date.parse(certificate.validTo)).to.be.above(Date.now());
    });

  it('a key with a passphrase is named, in both forms of PEM', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    for (const type of ['sec1', 'pkcs8']) {
      const text = privateKey.export({ type, format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' });
      const make = () => new Authority({ text: CERTIFICATES.middle.cert, name: 'ca.pem' }, { text, name: 'ca.key' });
      expect(make).to.throw('ca.key has a private key with a passphrase');
    }
  });
});
