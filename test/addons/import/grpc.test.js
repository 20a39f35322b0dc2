import { expect } from 'chai';

import { read as readGhz } from '../../../lib/addons/import/ghz/index.js';
import { read as readGrpcurl } from '../../../lib/addons/import/grpcurl/index.js';
import { sourceOf } from '../../../lib/addons/import/sources.js';

const place = { from: 'a.sh', folder: '/flows' };

describe('import of grpcurl', () => {
  const operationOf = (text) => readGrpcurl(text, place).phases.main[0].operation;

  for (const [flags, expected] of [
    ['-plaintext h:1 a.S/M', { grpc: 'grpc://h:1/a.S/M' }],
    ['h:1 a.S.M', { grpc: 'grpcs://h:1/a.S/M' }],
    ['-plaintext -d {"a":1} h:1 a.S/M'.replace('{"a":1}', `'{"a":1}'`), { message: { a: 1 } }],
    [`-d '{"a":1} {"a":2}' h:1 a.S/M`, { message: [{ a: 1 }, { a: 2 }] }],
    ["-H 'n: v' -rpc-header='m: w' -authority x h:1 a.S/M", { metadata: { n: 'v', m: 'w', host: 'x' } }],
    ['-import-path p -proto a.proto h:1 a.S/M', { proto: { file: 'p/a.proto', include: 'p' } }],
    ['-protoset a.bin h:1 a.S/M', { proto: 'a.bin' }],
    [
      '-insecure -cacert c -cert d -key e -servername f h:1 a.S/M',
      { rejectUnauthorized: false, ca: 'c', cert: 'd', key: 'e', servername: 'f' },
    ],
    ['-max-time 2.5 h:1 a.S/M', { timeout: '2.5s' }],
    ['-plaintext -unix /a.sock a.S/M', { grpc: 'grpc://localhost/a.S/M', socketPath: '/a.sock' }],
  ])
    it(flags, () => expect(operationOf(`grpcurl ${flags}`)).to.deep.include(expected));

  it('names flags without an equivalent; secrets are tokens', () => {
    const draft = readGrpcurl(
      "grpcurl -keepalive-time 3 -H 'authorization: Bearer abcdefghijklmnop' h:1 a.S/M\ngrpcurl -plaintext h:1 list",
      place,
    );
    expect(draft.dialectNotes).to.deep.equal(['-keepalive-time has no equivalent.']);
    expect(draft.skipped).to.deep.equal([
      {
        what: 'grpcurl -plaintext h:1 list',
        why: 'it makes no call: bench-rest list grpc://h:1 prints what a server offers',
      },
    ]);
    expect(draft.phases.main[0].operation.metadata.authorization).to.match(/^Bearer #\{env\.\w+\}$/);
  });

  it('commands without a call are refused', () =>
    expect(() => readGrpcurl('grpcurl h:1 describe a.S', place)).to.throw(/has no requests; write a command such as/));
});

describe('import of ghz', () => {
  const TOML = `# ghz
call = "a.S.M" # a call
host = "h:1"
insecure = true
total = 1_000
rps = 100
connections = 2
load-schedule = 'step'
import-paths = ["p", ]
proto = "a.proto"
[data]
user = "u{{.RequestNumber}} {{randomInt 1 9}} {{trim}}"
[metadata]
n = 'v'
`;

  it('options in TOML and in JSON', () => {
    const draft = readGhz(TOML, place);
    expect(draft.phases.main[0].operation).to.deep.equal({
      grpc: 'grpc://h:1/a.S/M',
      proto: { file: 'p/a.proto', include: 'p' },
      message: { user: 'u#{INDEX} #{randomInt(1, 8)} {{trim}}' },
      metadata: { n: 'v' },
    });
    expect(draft.properties.runOptions).to.deep.equal({ iterations: 1000, users: 50, rate: 100, connections: 2 });
    expect(draft.skipped).to.deep.equal([{ what: 'load-schedule', why: 'it has no equivalent' }]);
    expect(draft.dialectNotes).to.deep.equal(['{{trim}} has no equivalent: it is sent as it is.']);
    const { runOptions } = readGhz('{"call":"a.S/M","duration":"10s","concurrency":5}', place).properties;
    expect(runOptions).to.deep.equal({ users: 5, duration: '10s' });
  });

  it('both are detected', () =>
    expect([TOML, '{"call":"a.S/M"}', 'grpcurl h:1 a.S/M'].map((text) => sourceOf(text, '')?.name)).to.deep.equal([
      'ghz',
      'ghz',
      'grpcurl',
    ]));

  for (const text of ['call = "a.S.M"\n[[x]]\n', '{"proto":"a"}', 'call = """a"""'])
    it(`refuses a text that cannot be read: ${JSON.stringify(text)}`, () =>
      expect(() => readGhz(text, place)).to.throw(/is no configuration of ghz with a call that can be read; write it/));
});
