import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { createTlsReader, readTls } from '../../../lib/core/flow/tls.js';
import { CERTIFICATES } from '../../support/certificate.js';

const { ca, client, here, lockedKey, pfx } = CERTIFICATES;

/** What is read of options, and the complaints. */
function read(given) {
  const said = [];
  const tls = readTls(given, (key, reason) => said.push(`${key}: ${reason}`));
  return { tls, said };
}

describe('flow/tls', () => {
  let folder;
  const at = (name) => join(folder, name);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    for (const [name, content] of Object.entries({
      'ca.pem': ca,
      'key.pem': client.key,
      'c.p12': pfx,
      'x.txt': 'hello',
    }))
      writeFileSync(at(name), content);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('reads a path, { file } and PEM text, alone and in an array', () => {
    expect(read({ ca: at('ca.pem') })).to.deep.equal({ tls: { ca }, said: [] });
    expect(read({ ca: [{ file: at('ca.pem') }, client.cert, Buffer.from(ca)] })).to.deep.equal({
      tls: { ca: [ca, client.cert, Buffer.from(ca)] },
      said: [],
    });
    const { tls, said } = read({ pfx: { file: at('c.p12') }, passphrase: 'open sesame' });
    expect(said).to.deep.equal([]);
    expect(tls.pfx.equals(pfx)).to.equal(true);
  });

  it('ignores other options', () => expect(read({ limit: 1, headers: {} })).to.deep.equal({ tls: {}, said: [] }));

  it('opens an encrypted key with its passphrase', () =>
    expect(read({ cert: client.cert, key: lockedKey, passphrase: 'open sesame' }).said).to.deep.equal([]));

  it('names versions as Node does', () =>
    expect(read({ minVersion: 1.2, maxVersion: '1.3' }).tls).to.deep.equal({
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.3',
    }));

  it('maxVersion below 1.2 is the lowest version too, at the security level that allows it', () =>
    expect(read({ maxVersion: 1.1 }).tls).to.deep.equal({
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }));

  const refused = [
    [
      { minVersion: '1.3', maxVersion: '1.2' },
      'minVersion: is TLSv1.3, which is newer than the newest one to use, TLSv1.2',
    ],
    [
      { ciphers: 'NOTHING' },
      'ciphers: no cipher suite that OpenSSL knows is in NOTHING: list them with openssl ciphers',
    ],
    [{ cert: client.cert }, 'cert: needs the private key of the certificate: set key'],
    [{ key: client.key }, 'key: needs the certificate that it belongs to: set cert'],
    [
      { cert: here.cert, key: client.key },
      'key: does not belong to the certificate in cert: use the key that it was issued for',
    ],
    [{ cert: client.cert, key: lockedKey }, 'key: is encrypted: set passphrase'],
    [{ cert: client.cert, key: lockedKey, passphrase: 'wrong' }, 'passphrase: does not open the private key in key'],
    [{ cert: client.cert, key: client.cert }, 'key: has no private key that can be read'],
    [{ cert: client.key, key: client.key }, 'cert: has no certificate that can be read'],
    [{ ca: Buffer.from('hello') }, 'ca: has no certificate that can be read'],
    [{ pfx }, 'pfx: is encrypted: set passphrase'],
    [{ pfx, passphrase: 'wrong' }, 'passphrase: does not open pfx'],
  ];
  for (const [given, said] of refused) it(`refuses: ${said}`, () => expect(read(given).said).to.deep.equal([said]));

  it('refuses files that are missing, no PEM, or hold something else', () => {
    expect(read({ ca: at('none.pem') }).said).to.deep.equal([`ca: ${at('none.pem')} does not exist; check the path`]);
    expect(read({ ca: at('x.txt') }).said).to.deep.equal([
      `ca: ${at('x.txt')} is not a PEM file: it has no line -----BEGIN …`,
    ]);
    expect(read({ ca: at('key.pem') }).said).to.deep.equal([
      `ca: ${at('key.pem')} has no certificate that can be read`,
    ]);
    expect(read({ pfx: at('x.txt') }).said[0]).to.match(/^pfx: cannot be read: /);
  });

  it('an operation without options of its own has those of the run, and equal options are one object', () => {
    const defaults = { ca, rejectUnauthorized: false };
    const tlsOf = createTlsReader(defaults);
    const complain = () => {
      throw new Error('no complaint expected');
    };
    expect(tlsOf({}, complain)).to.equal(defaults);
    const own = tlsOf({ servername: 'a.test' }, complain);
    expect(own).to.deep.equal({ ca, servername: 'a.test', rejectUnauthorized: false });
    expect(tlsOf({ servername: 'a.test' }, complain)).to.equal(own);
    expect(tlsOf({ servername: 'b.test' }, complain)).to.not.equal(own);
  });

  it('files of an operation are relative to the folder of the flow', () => {
    const said = [];
    const complain = (key, reason) => said.push(`${key}: ${reason}`);
    expect(createTlsReader({}, folder)({ ca: { file: 'ca.pem' } }, complain)).to.deep.equal({ ca });
    createTlsReader({}, folder)({ ca: 'none.pem' }, complain);
    expect(said).to.have.lengthOf(1);
    expect(said[0]).to.contain(at('none.pem'));
  });

  it('remembers the last 100 sets of options', () => {
    const tlsOf = createTlsReader({});
    const first = tlsOf({ servername: 'n0' }, () => {});
    for (let i = 1; i <= 100; i++) tlsOf({ servername: `n${i}` }, () => {});
    expect(tlsOf({ servername: 'n0' }, () => {})).to.not.equal(first);
  });
});
