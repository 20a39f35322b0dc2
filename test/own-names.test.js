import { expect } from 'chai';

import benchrest from '../index.js';
import { FLOW_PROPERTIES } from '../lib/core/flow/normalize.js';
import { PROPERTY_NAMES } from '../lib/core/flow/operation.js';
import { WORDS, isOwnName, misspelled, noticeOf } from '../lib/core/ground/problems.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { command } from './support/command.js';
import fc from './support/fast-check.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const ONE = { limit: 1, iterations: 1 };
const PLACES = {
  'a flow': Object.keys(FLOW_PROPERTIES),
  'an operation': PROPERTY_NAMES,
  'run options': RUN_OPTIONS.map(({ name }) => name),
};
/** Names that people give to properties of their own. */
const OWN = `name description desc title filename fileName file env environment id uid uuid tags tag label labels config
  configuration conf meta metadata info version author authors owner team opts settings params args arguments argv
  input output result results expected actual comment note notes todo docs help summary details about category kind
  type mode level priority status state step steps order index number count total amount size length max avg begin
  first last prev next parent child base root host hostname port path paths route endpoint urls link links api apiKey
  apiVersion token accessToken secret credentials username login email mail phone address city country lang language
  locale timezone date time timestamp created createdAt enabled disabled visible hidden public private internal external
  remote global shared common defaults custom extra other payload content text html image color client server service db
  database table collection model entity item items row rows column field value values map list fn handler callback
  promise listener event events log logger debug verbose test tests spec suite cases scenario fixture mock setup
  teardown cleanup init runner command script job task cache storage customer product cart account role permission
  region zone node device sensor iot topic message channel framework app application project package module plugin
  library helper util tool factory generator random pattern filter sort offset page query search chart metric timer
  delay wait sleep speed latency memory cpu network domain socket adapter driver`
  .split(/\s+/)
  .filter(Boolean);

/** A text with one typo: a letter that is left out, doubled, added, replaced, or swapped with the next. */
const typo = (name) =>
  fc.tuple(fc.nat(name.length - 2), fc.constantFrom('out', 'double', 'add', 'replace', 'swap')).map(([at, kind]) => {
    const [head, letter, next, tail] = [name.slice(0, at), name[at], name[at + 1], name.slice(at + 2)];
    if (kind === 'out') return head + next + tail;
    if (kind === 'double') return head + letter + letter + next + tail;
    if (kind === 'add') return `${head}${letter}q${next}${tail}`;
    if (kind === 'replace') return `${head}q${next}${tail}`;
    return head + next + letter + tail;
  });

describe('names of users', () => {
  for (const [place, names] of Object.entries(PLACES)) {
    it(`a name of ${place} with one typo is refused, with a name that is as near`, () => {
      const long = names.filter((name) => name.length > 3);
      fc.assert(
        fc.property(
          fc.constantFrom(...long).chain((name) => fc.tuple(fc.constant(name), typo(name))),
          ([name, given]) => {
            fc.pre(!names.includes(given) && !WORDS.has(given.toLowerCase()));
            expect(misspelled(given, names), `${given} for ${name}`).to.be.a('string');
            expect(misspelled(given, [name])).to.equal(name);
          },
        ),
      );
    });

    it(`other cases, hyphens and plurals of names of ${place} are refused`, () => {
      for (const name of names) {
        const forms = [name.toUpperCase(), name.replace(/[A-Z]/g, '-$&').toLowerCase(), `${name}s`, `${name}S`];
        for (const form of forms.filter((one) => !names.includes(one) && !WORDS.has(one.toLowerCase())))
          expect(misspelled(form, names), form).to.be.a('string');
      }
    });
  }

  it('a name of three letters has a typo if two are swapped, or one is doubled', () => {
    for (const [given, meant] of [
      ['gte', 'get'],
      ['gett', 'get'],
      ['ulr', 'url'],
      ['Put', 'put'],
      ['jars', 'jar'],
    ])
      // prettier-ignore
      expect(misspelled(given, PROPERTY_NAMES)).to.equal(meant);
    for (const given of ['got', 'pat', 'ust', 'bar', 'env', 'id', 'ur', 'lru']) expect(misspelled(given, PROPERTY_NAMES)).to.equal(undefined); // prettier-ignore
  });

  it('names that people give to their own properties are none of ours with a typo', () => {
    expect(OWN.length).to.be.above(200);
    // the numbers of the one are the other: a scenario, a token
    const plurals = ['scenario', 'token', 'worker', 'users', 'labels'];
    for (const [place, names] of Object.entries(PLACES)) {
      const refused = OWN.filter((name) => !names.includes(name) && !isOwnName(name, names));
      expect(refused.filter((name) => !plurals.includes(name)), place).to.deep.equal([]); // prettier-ignore
    }
  });

  it('are ignored, with one notice that lists all: a warning of the run and of the process', () =>
    serving(ok, async (url, seen) => {
      class Show {
        constructor() {
          this.filename = 'show';
          this.env = { a: 1 };
          this.main = [{ get: url, info: [1], pool: {} }];
          this._own = this;
        }
      }
      const ofProcess = [];
      const listen = (warning) => ofProcess.push(warning);
      process.on('warning', listen);
      const ofRun = [];
      const run = benchrest(new Show(), { ...ONE, colour: 'red', 'x-own': 1 });
      run.on('warning', (warning) => ofRun.push(warning));
      const { errorCount } = await run;
      process.off('warning', listen);
      expect([errorCount, seen.length, ofRun.length]).to.deep.equal([0, 1, 1]);
      expect(ofProcess.map(({ message }) => message)).to.deep.equal([ofRun[0].message]);
      expect(ofRun[0].message.split('\n').slice(1, -1)).to.deep.equal([
        '  flow.filename',
        '  flow.env',
        '  flow.main[0].pool: connections are kept alive, one per virtual user and server',
        '  flow.main[0].info',
        '  runOptions.colour',
      ]);
    }));

  it('quiet emits no warning, strict refuses all of them but those that are marked', () =>
    serving(ok, async (url, seen) => {
      const flow = { main: [{ get: url, info: 1, 'X-own': 1 }], filename: 'x', _id: 1 };
      const warnings = [];
      const run = benchrest(flow, { ...ONE, quiet: true, colour: 1 });
      run.on('warning', (warning) => warnings.push(warning));
      await run;
      expect([warnings, seen.length]).to.deep.equal([[], 1]);
      expect(() => benchrest(flow, { ...ONE, strict: true }))
        .to.throw()
        .with.property('message', 'flow.filename: unknown key of a flow\nflow.main[0].info: unknown property');
      expect(() => benchrest(url, { ...ONE, strict: true, colour: 1 })).to.throw('runOptions.colour: unknown option');
      await benchrest({ main: [{ get: url, _id: 1, 'X-own': 1 }], 'x-y': 1 }, { ...ONE, strict: true });
    }));

  itSlow('the command prints the notice once, not with --quiet, and refuses them with --strict', () =>
    serving(ok, async (url) => {
      const flow = JSON.stringify({ main: [{ get: url, info: 1 }], file: 'x\u001b[31m', '\u001b[31m': 1 });
      const loud = await command(['-e', flow, '-n', '1']);
      expect(loud.stderr.match(/flow\.file/g)).to.have.lengthOf(1);
      expect(loud.stderr).to.include('flow.main[0].info').and.not.to.include('\u001b[31m');
      expect((await command(['-e', flow, '-n', '1', '--quiet'])).stderr).to.equal('');
      expect(await command(['-e', flow, '-n', '1', '--strict'])).to.include({ code: 2 });
    }),
  );

  it('hooks get properties of the operation as they are, and may set their own', () =>
    serving(ok, async (url) => {
      const own = { list: [1], deep: { '#{INDEX}': '#{INDEX}' } };
      own.self = own;
      const got = [];
      const flow = {
        get: url,
        own,
        beforeHooks: [({ requestOptions }) => Object.assign(requestOptions, { startedAt: 5 })],
        afterHooks: [({ requestOptions }) => void got.push(requestOptions.own, requestOptions.startedAt)],
      };
      const { errorCount } = await benchrest(flow, { ...ONE, quiet: true });
      expect(errorCount).to.equal(0);
      expect(got[0]).to.equal(own);
      expect(got[1]).to.equal(5);
      expect(() => benchrest(flow, { ...ONE, strict: true })).to.throw('flow.main[0].own: unknown property');
    }));

  it('a hook that misspells a property fails its operation', () =>
    serving(ok, async (url) => {
      const flow = { get: url, beforeHooks: [({ requestOptions }) => Object.assign(requestOptions, { haeders: {} })] };
      const { stats } = await benchrest(flow, ONE);
      expect(stats.errors.details[0].message).to.include('haeders unknown property, did you mean headers?');
    }));

  it('a notice lists the first of many names, each on one line that a terminal can print', () => {
    const own = Array.from({ length: 10_000 }, (_, i) => ({ path: `flow.a\n\u001b[3${i}m`, reason: '' }));
    const notice = noticeOf(own);
    expect(notice.split('\n')).to.have.lengthOf(23);
    expect(notice).to.include('and 9980 more').and.not.to.include('\u001b');
  });

  it('a name of another tool for one of ours is refused, and a word is ignored with what to write', () => {
    expect(() => benchrest('http://h/', { ...ONE, vus: 1 })).to.throw("k6's vus is limit here");
    expect(() => benchrest('http://h/', { ...ONE, iteration: 1 })).to.throw('did you mean iterations?');
  });
});
