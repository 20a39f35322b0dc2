// Uses each feature whose code is loaded when it is needed, from the CommonJS build: `node FILE FOLDER`.
const { writeFileSync } = require('node:fs');
const http = require('node:http');
const http2 = require('node:http2');
const path = require('node:path');

const load = (name) => require(path.join(process.argv[2], 'cjs', name));

/** An add-on of another package, which comes before the rest. */
const ADDON = `
  const { defineProtocol, text } = require('./cjs/addon.cjs');
  const protocol = { key: 'own', scheme: 'own', about: 'calls', noun: { one: 'a call', many: 'calls' } };
  const properties = { say: { ...text, about: 'a text' } };
  const row = defineProtocol({ ...protocol, properties, open: () => [], call: (all, { say }) => all.push(say) });
  module.exports = { door: 1, name: 'own', about: 'calls', protocols: [row] };
`;

const server = http.createServer((req, res) => {
  res.setHeader('set-cookie', 'sid=1');
  if (req.url === '/sse')
    return res.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: 1\n\ndata: 2\n\n');
  res.setHeader('content-type', 'application/json');
  if (req.url === '/limited') res.statusCode = 429;
  return res.end('{"data":{"id":7,"name":"abc"},"list":[{"n":1},{"n":2}]}');
});
const plain = http2.createServer((req, res) => res.end('ok'));
/** Answers calls of gRPC with an empty message. */
const calls = http2.createServer().on('stream', (stream) => {
  stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.alloc(5));
});
/** The service s.S with the method A, as descriptors. */
const DESCRIPTORS = 'CjoKB3MucHJvdG8SAXMiDgoBTRIJCgFhGAEgASgJMhQKAVMSDwoBQRIELnMuTRoELnMuTWIGcHJvdG8z';
const listening = (one) => new Promise((done) => one.listen(0, '127.0.0.1', () => done(one.address().port)));

const FRAMES = {
  frames: [{ name: 'f', origin: 'own', self: 1, total: 1 }],
  tree: { frames: [0], parents: [-1], self: [1] },
};

async function main() {
  const addon = path.join(process.argv[2], 'addon.cjs');
  writeFileSync(addon, ADDON);
  await load('addon.cjs').join(addon);
  const benchrest = load('index.cjs');
  const { startTarget } = load('target.cjs');
  const results = load('results.cjs');
  const target = await startTarget();
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  const get = '/a';
  const proto = path.join(process.argv[2], 's.binpb');
  writeFileSync(proto, Buffer.from(DESCRIPTORS, 'base64'));
  const grpc = `http://127.0.0.1:${await listening(calls)}`;
  const schema = { type: 'object', required: ['list'] };
  const stream = { get: '/sse', name: 'events', stream: 'sse' };
  const open = { rate: 50, duration: '100ms', limit: 2 };
  const counted = { iterations: 2, limit: 1 };
  const timed = (all) => (all.env.stats.timer('own').update(1), all);
  const signed = { accessKeyId: 'a', secretAccessKey: 'b', region: 'us-east-1', service: 's' };
  const runs = {
    paths: [{ get, expect: { json: { '$.list[?@.n > 1].n': 2 } }, capture: { n: '$.list[?@.n > 1].n' } }],
    patterns: [{ get, expect: { text: { matches: 'ab+c' } } }],
    schemas: [{ get, expect: { schema } }],
    forms: [{ post: '/a', formData: { file: { value: 'x', options: { filename: 'a.png' } } } }],
    graphql: [{ post: '/a', graphql: '{ items { id } }' }],
    sockets: { main: [{ ws: target.url.replace('http', 'ws') + '/ws', steps: [{ send: 'x' }] }] },
    signatures: [{ get, aws: signed }],
    hooks: [{ get, beforeHooks: ['useEtag', timed], afterHooks: ['saveEtag', 'verify2XX'] }],
    waits: [{ get: '/limited', retryAfter: { attempts: 2, first: 1 }, expect: { status: 429 } }],
    addons: [{ own: 'own://localhost:1', say: 'a #{INDEX}' }],
    tokens: [{ get: '/a?n=#{randomInt(1,9)}' }],
    calls: [{ measure: 'own', run: async () => 1 }],
    functions: { main: [async ({ request }) => void (await request({ get }))] },
    steps: [{ get, when: () => true, repeat: 2, pause: () => 0, vars: { x: () => 1 } }],
    streams: [stream],
    cookies: { main: [get, get] },
    logs: [get],
    targets: [get],
    workers: { main: [{ get, expect: { json: { '$.list[?@.n > 1].n': 2 } } }] },
    scenarios: { scenarios: { a: { main: [get], load: open }, b: { main: [get], load: counted } } },
    http2: [`http://127.0.0.1:${await listening(plain)}/`],
    pauses: [get],
    pipelines: [get],
    proxies: [get],
    grpc: [{ grpc: 's.S/A', target: grpc, proto, expect: { json: { '$.a': '' } } }],
  };
  const options = {
    hooks: { stages: ['100ms:50'], traceContext: true },
    streams: { thresholds: ['events goodput(firstEvent<10s)>50%'] },
    scenarios: { limit: undefined, iterations: undefined },
    logs: { log: path.join(process.argv[2], 'requests.ndjson') },
    targets: { baseUrl: undefined, target: (request, response) => response.end() },
    workers: { limit: 2, workers: 2 },
    http2: { http2: 'prior-knowledge' },
    pauses: { pause: 1 },
    pipelines: { pipelining: 2, limit: 2 },
    proxies: { proxy: baseUrl },
  };
  /** Of all runs, whose reports have a section each. */
  const all = [];
  for (const [name, flow] of Object.entries(runs))
    try {
      const { errorCount, stats } = await benchrest(flow, {
        baseUrl,
        limit: 1,
        iterations: 2,
        quiet: true,
        ...options[name],
      });
      all.push(stats);
      if (errorCount > 0) console.log(`FAILED ${name}: ${stats.errors.details[0].message}`);
    } catch (error) {
      console.log(`FAILED ${name}: ${error.message}`);
    }
  try {
    benchrest(get, { baseUrl, limit: 1, iterations: 1, vus: 3, strict: true });
  } catch {
    // The option is explained as that of another tool.
  }
  const script = path.join(process.argv[2], 'script.mjs');
  writeFileSync(script, "import http from 'k6/http';\nexport default () => http.get('http://localhost/');\n");
  // It is explained as a script of another tool.
  await benchrest(script, { limit: 1, iterations: 1 }).then(
    () => console.log('FAILED script: it was run'),
    ({ message }) => message.includes('k6') || console.log(`FAILED script: ${message}`),
  );
  const { stats } = await benchrest(get, { baseUrl, limit: 1, iterations: 1 });
  stats.profiles = [
    { ...{ kind: 'cpu', unit: 'ms', total: 1, duration: 1, processes: [{ name: 'x', total: 1 }] }, ...FRAMES },
  ];
  const saved = path.join(process.argv[2], 'result.json');
  await results.writeResult(stats, saved);
  await results.readResult(saved);
  await results.writeResult(stats, path.join(process.argv[2], 'none', 'result.json')).then(
    () => console.log('FAILED files: a result is in a folder that is not there'),
    ({ message }) => message.includes('none') || console.log(`FAILED files: ${message}`),
  );
  Object.assign(stats, {
    agents: { submitted: 2, lost: 1, maxLost: 0 },
    baseline: results.withBaseline(stats, all[0]).baseline,
    exports: [{ exporter: 'otlp', to: 'http://a', exports: 1, failed: 0 }],
    servers: [{ name: 'start', source: 'process' }],
    run: { shards: { merged: 1, of: 2 } },
  });
  for (const one of [...all, stats])
    await results.renderResult(one, { full: true }).catch(({ message }) => console.log(`FAILED report: ${message}`));
  server.closeAllConnections();
  for (const one of [server, plain, calls, target]) one.close();
  console.log(Object.keys(require.cache).join('\n'));
}
void main();
