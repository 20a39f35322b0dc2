// node test/support/make-certificates.js: writes certificates.json (needs openssl 3). The tests read the file, so they
// need no openssl. All certificates are valid from 2020 to 2099, except an expired and a future one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CONFIG = `
[ca]
default_ca = us
[us]
dir = .
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
[authority]
basicConstraints = critical,CA:TRUE
[req]
distinguished_name = name
[name]
`;
const PASSPHRASE = 'open sesame';
const HERE = 'IP:127.0.0.1';
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
const FROM = '20200101000000Z';
const TO = '20990101000000Z';

const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
try {
  for (const [name, text] of Object.entries({ 'ca.cnf': CONFIG, 'index.txt': '', serial: '01\n' }))
    writeFileSync(join(folder, name), text);
  const json = JSON.stringify(makeAll(), null, 2);
  writeFileSync(new URL('./certificates.json', import.meta.url), `${json}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeAll() {
  const ca = sign('ca', 'authority', '', { by: 'itself', isAuthority: true });
  const made = {
    ca: ca.cert,
    here: sign('here', 'here', HERE),
    expired: sign('expired', 'expired', HERE, { to: '20200601000000Z' }),
    early: sign('early', 'early', HERE, { from: '20980101000000Z' }),
    a: sign('a', 'a', 'DNS:a.test'),
    b: sign('b', 'b', 'DNS:b.test'),
    client: sign('client', 'the client', ''),
    middle: sign('middle', 'middle', '', { isAuthority: true }),
    leaf: sign('leaf', 'leaf', HERE, { by: 'middle' }),
    stranger: sign('stranger', 'stranger', HERE, { by: 'itself' }),
    selfSigned: sign('self', 'test', `${HERE},DNS:localhost,DNS:one.test,DNS:two.test`, { by: 'itself' }),
  };
  openssl('pkey', '-aes256', '-in', 'client.key', '-passout', `pass:${PASSPHRASE}`, '-out', 'locked.key');
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    'client.key',
    '-in',
    'client.pem',
    '-passout',
    `pass:${PASSPHRASE}`,
    '-out',
    'client.p12',
  );
  return { ...made, lockedKey: read('locked.key'), pfx: readFileSync(join(folder, 'client.p12')).toString('base64') };
}

/** A key and its certificate, signed by the authority `by`, or by `itself`. */
function sign(name, commonName, names, { from = FROM, to = TO, by = 'ca', isAuthority = false } = {}) {
  openssl(
    'req',
    '-new',
    ...EC,
    '-config',
    'ca.cnf',
    '-subj',
    `/CN=${commonName}`,
    ...(names ? ['-addext', `subjectAltName=${names}`] : []),
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  );
  const signer =
    by === 'itself' ? ['-selfsign', '-keyfile', `${name}.key`] : ['-cert', `${by}.pem`, '-keyfile', `${by}.key`];
  openssl(
    'ca',
    '-batch',
    '-notext',
    '-config',
    'ca.cnf',
    ...signer,
    '-startdate',
    from,
    '-enddate',
    to,
    ...(isAuthority ? ['-extensions', 'authority'] : []),
    '-in',
    `${name}.csr`,
    '-out',
    `${name}.pem`,
  );
  return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
}

function openssl(...args) {
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

function read(name) {
  return readFileSync(join(folder, name), 'utf8');
}
