import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { configLayer } from '../../../lib/core/cli/config.js';
import {
  agentLog,
  logLayer,
  optionFiles,
  ownOptions,
  ownVariables,
  packOptions,
} from '../../../lib/addons/agents/pack-options.js';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';

describe('A16 shard/pack-options', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-options-'));
    writeFileSync(join(folder, 'ca.pem'), CERTIFICATE);
    writeFileSync(join(folder, 'key.p12'), Buffer.from([1, 255]));
  });
  after(() => rmSync(folder, { recursive: true }));
  const layer = (options) => [{ name: 'command line', options }];
  const pack = (options, env = {}) => packOptions(layer(options), env)[0].options;

  it('options without a secret travel as they are, with the names of their layers', () => {
    const layers = [
      { name: 'a.json', options: { limit: 5, title: undefined } },
      { name: 'command line', options: { rate: 10, headers: { accept: 'x' }, insecure: true } },
    ];
    expect(packOptions(layers, {})).to.deep.equal([{ name: 'a.json', options: { limit: 5 } }, layers[1]]);
  });

  it('the layer of the configuration is one that agents accept', () => {
    const [packed] = packOptions([configLayer({ path: 'a.json', options: { limit: 5 } })], {});
    expect(packed).to.deep.equal({ name: 'a.json', options: { limit: 5 } });
  });

  it('a secret that is a token of the environment travels', () => {
    const options = {
      password: '#{env.PASS}',
      headers: { authorization: 'Bearer #{env.TOKEN}' },
      cookies: { a: '#{env.A}' },
    };
    expect(pack(options)).to.deep.equal(options);
  });

  it('a secret from the environment of the command is left out', () => {
    expect(pack({ password: 'x', limit: 1 }, { BENCH_REST_PASSWORD: 'x' })).to.deep.equal({ limit: 1 });
  });

  it('certificates travel as text', () => {
    const file = join(folder, 'ca.pem');
    expect(pack({ ca: [file, CERTIFICATE], cert: { file } })).to.deep.equal({
      ca: [CERTIFICATE, CERTIFICATE],
      cert: CERTIFICATE,
    });
  });

  for (const [options, says] of [
    [
      { password: 'x' },
      /--password: its value is not sent to agents: write #\{env\.NAME\}.*set BENCH_REST_PASSWORD there/,
    ],
    [{ user: 'x' }, /--user: .*BENCH_REST_USER/],
    [{ key: 'a.pem' }, /--key: .*set BENCH_REST_KEY in the environment of each agent, to the path/],
    [{ pfx: 'a.p12' }, /--pfx: .*BENCH_REST_PFX/],
    [{ passphrase: 'x' }, /--passphrase: .*BENCH_REST_PASSPHRASE/],
    [{ headers: { authorization: 'Bearer abcd' } }, /headers: the value of authorization is not sent/],
    [{ cookies: { id: 'x' } }, /--cookie: the value of id/],
    [{ args: { token: 'x' } }, /--arg: the value of token/],
    [{ proxy: 'http://me:x@proxy' }, /--proxy: its password.*HTTPS_PROXY/],
    [{ proxy: 'me:x@proxy:3128' }, /--proxy: its password/],
    [{ baseUrl: 'http://me:x@a/' }, /--base-url: its password/],
    [{ baseUrl: 'unix:/run/x:/' }, /--base-url: is a socket of this machine/],
    [{ envFiles: ['.env'] }, /--dotenv: .*environment of each agent/],
    [{ start: 'node app.js' }, /--start: would start a server on each agent/],
    [{ socketPath: '/run/x' }, /--socket-path: is a socket of this machine/],
    [{ ca: 'none.pem' }, /--ca: .*none\.pem does not exist/],
  ])
    it(`refuses ${JSON.stringify(options)}`, () => {
      expect(() => pack(options))
        .to.throw(says)
        .with.property('code', 'E_NOT_SENT');
    });

  it('the log travels as a name that an agent accepts, or is refused before anything is sent', () => {
    expect(agentLog(logLayer({ log: '/tmp/requests.ndjson' }), '/logs')).to.equal(join('/logs', 'requests.ndjson'));
    expect(logLayer({ log: 'x.csv' }, 'step2')[0].options.log).to.equal('x.step2.csv');
    expect(logLayer({})).to.deep.equal([]);
    for (const log of ['.requests.ndjson', 'a:b.csv', `${'a'.repeat(201)}.csv`]) {
      expect(() => logLayer({ log }), log)
        .to.throw(/--log: agents accept/)
        .with.property('code', 'E_NOT_SENT');
      expect(() => agentLog([{ name: '--log', options: { log } }], '/logs')).to.throw(/not the name of a file/);
    }
  });

  it('reports all that it refuses, without the secrets', () => {
    const given = { password: 'geheim', proxy: 'http://me:geheim@proxy', start: 'x' };
    expect(() => pack(given))
      .to.throw(/--password.*\n.*--proxy.*\n.*--start/)
      .and.satisfy(({ message }) => !message.includes('geheim'));
  });

  it('an agent reads its own secrets from its environment', () => {
    const env = { BENCH_REST_PASSWORD: 'x', BENCH_REST_PFX: join(folder, 'key.p12'), OTHER: 'y', BENCH_REST_USER: '' };
    expect(ownOptions(env).options).to.deep.equal({ password: 'x', pfx: Buffer.from([1, 255]) });
    expect(ownVariables(env)).to.have.members(['BENCH_REST_PASSWORD', 'BENCH_REST_PFX']);
  });

  it('the key of an agent must be there', () => {
    expect(() => ownOptions({ BENCH_REST_KEY: join(folder, 'none') })).to.throw(/does not exist/);
  });

  it('names the files of options', () => {
    const options = { ca: ['a.pem', CERTIFICATE], key: { file: '/b.pem' }, envFiles: '.env', limit: 1 };
    const cwd = process.cwd();
    expect(optionFiles(layer(options))).to.deep.equal([join(cwd, 'a.pem'), '/b.pem', join(cwd, '.env')]);
  });
});
