import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { POINT } from '../lib/core/measure/document.js';
import { FILES } from '../scripts/entries.js';
import { RECORD, brokenBy, isStable, stability } from '../scripts/stability.js';
import { AREAS, pathsOf, surface } from '../scripts/surface.js';
import { schemaOf } from './support/schemas.js';

const recorded = JSON.parse(readFileSync(new URL(`../${RECORD}`, import.meta.url), 'utf8'));

let now;
before(async () => (now = await surface()));

describe('names that are stable', () => {
  it('are still there, with their types: otherwise it is a breaking change: 3.0', async () => {
    const { broken, text } = await stability(now);
    expect(broken).to.deep.equal([]);
    expect(JSON.parse(text)).to.deep.equal(recorded);
  });

  it('have every area: flags, options, flows, the result, codes, types and exports', () => {
    for (const [area, names] of Object.entries(recorded))
      if (!AREAS[area].isExperimental) expect(Object.keys(names), area).not.to.have.lengthOf(0);
    expect(recorded.commands).to.include({ 'run --rate': '-r, --rate <value>', compare: now.commands.compare });
    expect(recorded['run options']).to.include({ timeout: 'number | string; default 30000' });
    expect(recorded.result).to.include({
      totalElapsed: 'number, ms',
      'iterations.started': 'count',
      'bytes.received': 'count, B',
      'errors.share': 'number | null, ratio',
      'requests.ttfb': 'histogram, ms',
      'validity.status = suspect': '',
    });
    expect(recorded.types).to.include({ 'ResponseEvent.serviceTime': 'number', 'All.end': '() => void' });
    expect(recorded.types).to.have.any.keys('RunEvents.response');
    expect(recorded.exports).to.include({ 'bench-rest defineFlow': 'function' });
    expect(recorded['exit codes']).to.include({ threshold: '99' });
    expect(recorded.environment).to.have.any.keys('BENCH_REST_PASSWORD', 'BENCH_REST_SHARD');
  });

  it('are at most 900, so that each has a user who needs it', () =>
    expect(Object.values(recorded).flatMap((names) => Object.keys(names)).length).to.be.within(600, 900));

  it('are none of an experimental add-on, option, figure or type', () => {
    for (const [area, name] of [
      ['commands', 'agent --queue'],
      ['commands', 'run --start'],
      ['commands', 'run --dashboard'],
      ['run options', 'pacing'],
      ['operations', 'stream'],
      ['checks', 'graphql'],
      ['flow formats', '.har'],
      ['thresholds', 'server.cpu'],
      ['thresholds', 'operation gap.p95'],
      ['result', 'servers[].cpuTime'],
      ['result', 'iterations.maxBacklog'],
      ['comparison', 'sides.base.label'],
      ['exports', 'bench-rest/target startTarget'],
      ['types', 'bench-rest/results mergeResults()'],
      ['error codes', 'E_STATUS'],
    ]) {
      expect(now[area][name], name).to.be.a('string');
      expect(isStable(area, [name, now[area][name]]), `${area}: ${name}`).to.equal(false);
    }
  });

  it('are those of 1.2.4, of CI, of WebSockets, HTTP/2 and comparisons', () => {
    for (const [area, name] of [
      ['commands', 'run --prealloc'],
      ['commands', 'run --threshold'],
      ['commands', 'run --baseline'],
      ['operations', 'preambleCRLF'],
      ['operations', 'ws'],
      ['run options', 'http2'],
      ['comparison', 'conclusion.verdict'],
      ['columns of CSV', 'p95_ms'],
      ['formats', 'result junit'],
      ['types', 'All.env'],
    ])
      expect(recorded[area], area).to.include.keys(name);
  });

  it('have an area for each document with a schema', () => {
    const { [POINT]: line, ...documents } = now.documents;
    for (const [type, schema] of Object.entries(documents)) {
      expect(FILES).to.include(schema.replace(/^.*(?=\/)/, 'bench-rest'));
      expect(now[type === 'run' ? 'result' : type], type).to.include.keys('$schema', 'type');
    }
    // that of flows is the fifth
    expect(Object.keys(documents)).to.have.lengthOf(FILES.filter((name) => name.endsWith('.schema.json')).length - 1);
    expect(line).to.equal('');
  });
});

describe('a breaking change is one in which', () => {
  /** What has changed in one entry. */
  const changed = (area, name, type) => {
    const { [name]: gone, ...others } = now[area];
    expect(gone, `${area}: ${name}`).to.be.a('string');
    return brokenBy({ ...now, [area]: type === undefined ? others : { ...others, [name]: type } }, recorded);
  };

  for (const [what, area, name, type] of [
    ['a flag goes', 'commands', 'run --rate'],
    ['a flag loses its short form', 'commands', 'run --rate', '--rate <value>'],
    ['a flag gets a value', 'commands', 'run --forever', '--forever <value>'],
    ['a command needs another argument', 'commands', 'compare', 'bench-rest compare NAME'],
    ['a flag of another spelling means something else', 'spellings', '--data', '--form'],
    ['a default changes', 'run options', 'timeout', 'number | string; default 10000'],
    ['an option gets a default', 'run options', 'duration', 'number | string; default 1000'],
    ['an option takes no text any more', 'run options', 'duration', 'number'],
    ['a variable of the environment sets another option', 'environment', 'BENCH_REST_USER', 'password'],
    ['a property of operations goes', 'operations', 'capture'],
    ['a property of flows becomes required', 'flows', 'baseUrl', 'string; required'],
    ['a token goes', 'tokens', '#{INDEX}'],
    ['an exit code changes', 'exit codes', 'threshold', '98'],
    ['an event goes', 'types', 'RunEvents.response'],
    ['a member of an event changes its type', 'types', 'ResponseEvent.status', 'string'],
    ['a member of hooks becomes optional', 'types', 'All.env'],
    ['an export goes', 'exports', 'bench-rest/results readResult'],
    ['a column of CSV goes', 'columns of CSV', 'p95_ms'],
    ['a column of CSV moves', 'columns of CSV', 'rate', '6'],
    ['a property of JUnit goes', 'properties of JUnit', 'validity'],
    ['the type of a document goes', 'documents', 'comparison'],
    ['a key of a comparison goes', 'comparison', 'conclusion.message'],
    ['a key of a comparison changes its unit', 'comparison', 'figures[].change', 'number | null, %'],
    ['a figure of thresholds changes its unit', 'thresholds', 'ttfb.p95', 's'],
    ['a code of errors goes', 'error codes', 'E_USAGE'],
    ['a payload of an event changes', 'types', 'RunEvents.progress', '[stats: Stats]'],
    ['an input of the action changes its default', 'action', 'input runs', 'default "5"'],
  ])
    it(what, () => {
      const [problem, ...others] = changed(area, name, type);
      expect(problem).to.include(`${area}: ${name} is `).and.include('a breaking change: 3.0');
      expect(others).to.deep.equal([]);
    });

  for (const [what, change] of [
    ['a key of the result goes', ({ properties }) => delete properties.iterations.properties.completed],
    [
      'a key of the result changes its type',
      ({ properties }) => (properties.requests.properties.sent = { type: 'string' }),
    ],
    ['a key of the result changes its unit', ({ properties }) => (properties.totalElapsed.description = 'B; other')],
    ['a figure cannot be null any more', ({ $defs }) => ($defs.histogram.properties.p99.type = 'number')],
    ['a figure can be null', ({ properties }) => (properties.totalElapsed.type = ['number', 'null'])],
    ['a key may be missing', ({ properties }) => properties.requests.required.pop()],
    ['a key of a row goes', ({ properties }) => delete properties.operations.items.properties.name],
    ['a status of the validity goes', ({ properties }) => properties.validity.properties.status.enum.pop()],
  ])
    it(what, () => {
      const schema = schemaOf('result');
      change(schema);
      expect(brokenBy({ result: pathsOf(schema) }, { result: now.result })).not.to.deep.equal([]);
    });

  for (const [what, area, name, type] of [
    ['no name is new', 'run options', 'new', 'string'],
    ['no option takes another type', 'run options', 'duration', 'number | string | null'],
    ['no choice has another value', 'result', 'validity.status = unsure', ''],
  ])
    it(`${what}: that breaks nothing`, () =>
      expect(brokenBy({ ...now, [area]: { ...now[area], [name]: type } }, recorded)).to.deep.equal([]));
});
