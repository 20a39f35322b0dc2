import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { createSequences } from '../../../lib/core/flow/sequences.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { compiledFlow } from '../../support/compiled-flow.js';
import { itSlow } from '../../support/slow.js';

describe('compile', () => {
  const compile = (raw, options) => compiledFlow(raw, { baseUrl: 'http://127.0.0.1:8000', ...options });
  const step = (operation, options) => compile([operation], options).main[0];
  const fields = (request) => {
    const pairs = request.fields.flatMap((name, i) => (i % 2 ? [] : [[name.toLowerCase(), request.fields[i + 1]]]));
    return Object.fromEntries(pairs);
  };

  describe('operations', () => {
    const noOperations = /^flow\.main: has no operations: write main: \[\{ get: /;
    for (const raw of [[], { main: [] }, { before: [], beforeMain: null, main: [], afterMain: [], after: [] }])
      it(`${JSON.stringify(raw)} has none, and is refused`, () => expect(() => compile(raw)).to.throw(noOperations));

    for (const phase of ['before', 'beforeMain', 'afterMain', 'after'])
      it(`main may be empty if ${phase} is not`, () =>
        expect(compile({ [phase]: ['/'], main: [] })[phase]).to.have.lengthOf(1));

    it('an invalid URL is refused with its place, also if only a token in its host makes it one', () => {
      const [{ render }] = compile({ vars: { host: '' }, main: ['http://#{host}/'] }).main;
      expect(() => render({ vars: { host: '' } })).to.throw(
        /^flow\.main\[0\]\.get "http:\/\/\/" is not a valid URL: a token/,
      );
      expect(() => compile([{ get: { toString: 1 } }])).to.throw('flow.main[0].get: expected a string, got an object');
    });

    it('main may be empty beside scenarios that are not', () =>
      expect(compile({ scenarios: { a: { main: ['/'] } } }).main).to.have.lengthOf(1));

    for (const given of [
      { expect: { status: [{ toString: 1 }] } },
      { expect: { name: { toString: 1 }, status: 200 } },
      { tags: { a: { toString: 1 } } },
      { headers: { a: { toString: 1 } } },
      { cookies: { a: { toString: 1 } } },
      { oneOf: [{ get: '/', weight: { toString: 1 } }] },
    ])
      it(`an object with a member toString is refused as others are: ${JSON.stringify(given)}`, () => {
        const operation = given.oneOf ? given : { post: '/', ...given };
        const others = JSON.parse(JSON.stringify(operation).replaceAll('toString', 'a'));
        const refusalOf = (one) => {
          try {
            return compile([one]);
          } catch ({ code, message }) {
            return `${code} ${message}`;
          }
        };
        expect(refusalOf(operation))
          .to.match(/^E_FLOW /)
          .and.to.equal(refusalOf(others));
      });

    it('operations that have problems are not missing', () =>
      expect(() => compile({ main: [], before: 'x' })).to.throw(
        /^flow\.before: expected an array, got a string: write it in \[ \]$/,
      ));
  });

  describe('requests', () => {
    it('a request without iteration tokens is compiled to a constant', () => {
      const { request, render } = step({ put: '/a', json: { b: 1 } });
      expect(request).to.include({ method: 'PUT', path: '/a' });
      expect(String(request.body)).to.equal('{"b":1}');
      expect(render({ index: 1 }).body).to.equal(request.body);
    });

    it('fields without tokens are the same array in every iteration', () => {
      const { request, render } = step({ get: '/#{INDEX}', headers: { a: 'b' } });
      expect(request).to.equal(null);
      expect(render({ index: 1 }).fields).to.equal(render({ index: 2 }).fields);
    });

    for (const [operation, path] of [
      [{ get: '/foo_#{INDEX}?q=#<INDEX>' }, '/foo_7?q=7'],
      [{ get: '/a', qs: { b: '#{INDEX}', c: ['x', 'y'], d: { e: 1 } } }, '/a?b=7&c%5B0%5D=x&c%5B1%5D=y&d%5Be%5D=1'],
      [{ get: '/a?b=1', qs: { c: 2 } }, '/a?b=1&c=2'],
      [{ get: '/ü' }, '/%C3%BC'],
      [{ get: '/a#part' }, '/a'],
      [{ get: 'http://127.0.0.1:8000' }, '/'],
    ]) {
      it(`${JSON.stringify(operation)} requests ${path}`, () =>
        expect(step(operation).render({ index: 7 }).path).to.equal(path));
    }

    it('a token in the host gives each iteration its own endpoint', () => {
      const { render } = step({ get: 'http://h#{INDEX}.test/a' });
      expect(render({ index: 1 }).endpoint.hostname).to.equal('h1.test');
      expect(render({ index: 1 }).endpoint).to.equal(render({ index: 1 }).endpoint);
    });

    it('tokens are replaced in all keys and values of json', () => {
      const { render } = step({ put: '/a', json: { 'k#{INDEX}': [{ v: '#{INDEX}' }] } });
      expect(JSON.parse(render({ index: 7 }).body)).to.deep.equal({ k7: [{ v: '7' }] });
    });

    it('json: true sends no body and accepts JSON', () => {
      const { request, parsesJson } = step({ get: '/a', json: true });
      expect(request.body).to.equal(null);
      expect(fields(request)).to.include({ accept: 'application/json' });
      expect(parsesJson).to.equal(true);
    });

    for (const [what, operation, expected] of [
      ['json', { put: '/', json: 'x' }, { 'content-type': 'application/json', accept: 'application/json' }],
      ['form', { post: '/', form: { a: 'b c' } }, { 'content-type': 'application/x-www-form-urlencoded' }],
      ['bearer', { get: '/', auth: { bearer: 't' } }, { authorization: 'Bearer t' }],
      ['user and pass', { get: '/', auth: { user: 'u', pass: 'p' } }, { authorization: 'Basic dTpw' }],
      ['userinfo', { get: 'http://u:p@127.0.0.1/' }, { authorization: 'Basic dTpw' }],
      ['gzip', { get: '/', gzip: true }, { 'accept-encoding': 'gzip, deflate, br' }],
    ]) {
      it(`${what} sets its fields`, () => expect(fields(step(operation).request)).to.include(expected));
    }

    it('headers of an operation win over the run, those over the flow, whatever their case', () => {
      const flow = { headers: { A: 'flow', b: 'flow', C: 'flow' }, main: [{ get: '/', headers: { a: 'operation' } }] };
      const { request } = compile(flow, { headers: { B: 'run' } }).main[0];
      expect(fields(request)).to.deep.equal({ a: 'operation', b: 'run', c: 'flow' });
    });

    it("the run's baseUrl wins over the flow's", () => {
      const { main } = compile({ baseUrl: 'http://a.test', main: [{ get: '/x' }] }, { baseUrl: 'http://b.test' });
      expect(main[0].request.endpoint.origin).to.equal('http://b.test');
    });
  });

  describe('options for hooks', () => {
    const afterHooks = ['verify2XX'];

    it('are private to each iteration, tokens replaced', () => {
      const { options } = step({ put: '/a_#{INDEX}', json: { a: ['#{INDEX}'] }, headers: { h: 'v' }, afterHooks });
      const one = options({ index: 1 });
      one.json.a.push('changed');
      one.headers.h = 'changed';
      expect(options({ index: 2 })).to.deep.include({
        method: 'PUT',
        uri: 'http://127.0.0.1:8000/a_2',
        json: { a: ['2'] },
        headers: { h: 'v' },
      });
    });

    it('changes by a hook are sent', () => {
      const { options, renderOptions } = step({ put: '/a', json: { a: 1 }, afterHooks });
      const changed = { ...options({ index: 1 }), uri: 'http://127.0.0.1:9/b', json: { b: 2 } };
      expect(renderOptions(changed, {}, {}).request).to.deep.include({
        method: 'PUT',
        path: '/b',
        body: Buffer.from('{"b":2}'),
      });
    });

    it('a line end in a header is refused', () => {
      const { options, renderOptions } = step({ get: '/', afterHooks });
      const changed = { ...options({ index: 1 }), headers: { a: 'b\r\nc: d' } };
      expect(() => renderOptions(changed, {}, {}))
        .to.throw('flow.main[0].requestOptions.headers.a')
        .that.includes({ code: 'E_REQUEST_FIELD' });
    });
  });

  describe('problems', () => {
    for (const [operation, message] of [
      [{ get: '/', haeders: {} }, 'flow.main[0].haeders: unknown property, did you mean headers?'],
      [{ get: '/', timeout: 'x' }, 'flow.main[0].timeout: expected milliseconds'],
      [{ get: '/', delete: '/' }, 'flow.main[0]: has get and delete'],
      [{}, 'flow.main[0]: has no URL'],
      [
        { get: '/', afterHooks: ['verify2xx'] },
        "flow.main[0].afterHooks[0]: unknown hook 'verify2xx', did you mean verify2XX?",
      ],
      [{ get: '/', afterHooks: [7] }, 'flow.main[0].afterHooks[0]: expected the name of a hook or a function'],
      [{ get: '/#{INDX}' }, 'flow.main[0].get: #{INDX} (column 2) is not a token. Did you mean #{INDEX}?'],
      [
        { get: 'localhost:8000' },
        'flow.main[0].get: "localhost:8000" has no scheme, did you mean http://localhost:8000?',
      ],
      [{ get: 'htp://x/' }, 'flow.main[0].get: "htp://x/" is not an http:// or https:// URL, did you mean http:?'],
      [{ get: 'http://x:70000/' }, 'has port 70000, the highest is 65535'],
      [{ get: 'http://a b/' }, 'is not a valid URL'],
      [{ get: '/', headers: { 'a b': 'c' } }, 'flow.main[0].headers.a b: is not a header field name'],
      [{ get: '/', headers: { a: 'b\nc' } }, 'flow.main[0].headers.a: has a character'],
    ]) {
      it(message, () =>
        expect(() => step(operation))
          .to.throw(message)
          .that.includes({ code: 'E_FLOW' }),
      );
    }

    it('a URL that is missing or of the wrong type is reported once', () => {
      for (const [operation, reason] of [
        [{ get: true }, 'flow.main[0].get: expected a string, got true'],
        [{ uri: {} }, 'flow.main[0].uri: expected a string, got an object'],
        [{ headers: {} }, "flow.main[0]: has no URL: write { get: 'http://…' }, or method and uri"],
      ])
        expect(() => step(operation))
          .to.throw()
          .with.property('message', reason);
    });

    it('a circular json is found', () => {
      const json = {};
      json.self = json;
      expect(() => step({ put: '/', json })).to.throw('flow.main[0].json: Converting circular structure');
    });

    it('all problems are reported together', () => {
      const flow = {
        beforMain: [],
        before: [{ get: '/#{INDX}' }],
        main: [
          { get: '/', jsno: 1 },
          { get: '/', bdoy: 1 },
        ],
      };
      expect(() => compile(flow))
        .to.throw()
        .with.property('problems')
        .with.lengthOf(4);
    });

    it('a base URL without its scheme is refused, and completed', () => {
      expect(() => readFlow('/a').compile({ baseUrl: 'localhost:8000' })).to.throw(
        'did you mean http://localhost:8000?',
      );
    });

    it('a token in the base URL is refused, where it would be a fragment', () => {
      expect(() => readFlow('/a').compile({ baseUrl: 'http://h/#{INDEX}/' })).to.throw(
        'baseUrl: has a token: only #{args.name} and #{env.NAME} can be used here',
      );
      expect(() => readFlow('/a').compile({ baseUrl: 'http://h/#{args.x}/', args: { x: 'y' } })).not.to.throw();
    });

    itSlow('a flow may have more problems than a call can have arguments', () => {
      const main = Array(200_000).fill(5);
      expect(() => readFlow({ main }).compile({})).to.throw('and 199900 more');
    });

    it('the socket of a flow may be an argument, as its base URL', () => {
      const [{ origin }] = readFlow('/a').compile({ socketPath: '/run/#{args.x}.sock', args: { x: 'y' } }).main;
      expect(origin).to.equal('unix:/run/y.sock');
    });

    it('only a flow with data has to load the code of feeders', async () => {
      expect(readFlow('http://h/').isLoaded).to.equal(true);
      const read = readFlow({ main: [{ get: 'http://h/#{users.id}' }], data: { users: [{ id: 1 }] } });
      expect(read.isLoaded).to.equal(false);
      await read.load();
      expect(read.isLoaded).to.equal(true);
      expect(read.openFeeders({}).all()).to.have.lengthOf(1);
    });

    it('the error about a relative URL without a base names the option to set', () => {
      expect(() => readFlow('/a').compile({})).to.throw('is relative: set baseUrl');
    });

    for (const [what, raw, cure] of [
      ['a function', () => ['/'], 'the flow is a function: pass what it returns'],
      ['a promise', Promise.resolve(['/']), 'the flow is a promise: await it'],
      ['undefined', undefined, 'the flow is undefined: pass a URL'],
      ['a number', 42, 'the flow is 42: pass a URL'],
    ])
      it(`${what} in place of a flow is named`, () => expect(() => readFlow(raw)).to.throw(cure));

    for (const raw of [null, undefined, {}, { before: [] }, 7]) {
      it(`${JSON.stringify(raw)} has no main`, () => {
        expect(() => readFlow(raw)).to.throw(/benchmark flow requires main operations, missing flow\.main\?/);
      });
    }
  });
});

const sequencesOf = (flow = {}) =>
  createSequences(
    { tokens: {}, vars: {}, scenarios: SCENARIOS, ...flow, phases: { ...flow.phases } },
    { seed: 1, problems: createProblems('E_FLOW') },
  );

const [BROWSE, BUY] = ['browse', 'buy'].map((name, at) => ({ name, at, where: `flow.scenarios.${name}` }));
const SCENARIOS = [
  { where: 'flow.scenarios.browse', phases: { main: [{ capture: { page: '$' } }] } },
  { where: 'flow.scenarios.buy', phases: { main: [{ capture: { order: '$' } }] } },
];
const isKnown = ({ names }, name) => names.find(name) !== undefined;

describe('sequences of a flow', () => {
  it('the phases of an iteration share what they capture and open; before and after have their own', () => {
    const sequenceOf = sequencesOf({ vars: { token: 1 } });
    expect(isKnown(sequenceOf('before', null), 'token')).to.equal(true);
    sequenceOf('beforeMain', null).names.add(['id']);
    sequenceOf('beforeMain', null).opened.set('ws x', 'flow.beforeMain[0]');
    const afterMain = sequenceOf('afterMain', null);
    expect([isKnown(afterMain, 'id'), afterMain.opened.size]).to.deep.equal([true, 1]);
    const after = sequenceOf('after', null);
    expect([isKnown(after, 'id'), after.opened.size]).to.deep.equal([false, 0]);
    expect(after.opened).to.equal(sequenceOf('before', null).opened);
    expect(after.names.refuse('INDEX')).to.equal('after runs once and has no #{INDEX}: use afterMain');
  });

  it('scenarios know what beforeMain of the flow has, and nothing of each other', () => {
    const sequenceOf = sequencesOf();
    sequenceOf('beforeMain', null).names.add(['user']);
    sequenceOf('beforeMain', BROWSE).names.add(['page']);
    sequenceOf('beforeMain', BROWSE).opened.set('ws x', 'flow.scenarios.browse.beforeMain[0]');
    const names = ['user', 'page'];
    expect(names.map((name) => isKnown(sequenceOf('main', BROWSE), name))).to.deep.equal([true, true]);
    expect(names.map((name) => isKnown(sequenceOf('main', BUY), name))).to.deep.equal([true, false]);
    expect([sequenceOf('main', BROWSE), sequenceOf('main', BUY)].map(({ opened }) => opened.size)).to.deep.equal([
      1, 0,
    ]);
    expect(isKnown(sequenceOf('afterMain', null), 'page')).to.equal(true);
  });

  it('captures of before are known in all later phases', () => {
    const sequenceOf = sequencesOf({
      phases: { before: [{ capture: { token: '$' } }], main: [{ capture: { id: '$' } }] },
    });
    const places = [
      sequenceOf('before', null),
      sequenceOf('beforeMain', null),
      sequenceOf('main', BUY),
      sequenceOf('after', null),
    ];
    expect(places.map((place) => isKnown(place, 'token'))).to.deep.equal([false, true, true, true]);
    expect(places[0].names.explain('token')).to.include('captured later, by flow.before[0].capture.token');
    expect(places[1].names.explain('id')).to.include('captured later, by flow.main[0].capture.id');
  });

  it('a message says that an operation captures a name itself, and what to declare', () => {
    const sequenceOf = sequencesOf({ phases: { main: [{ get: '/', capture: { next: '$' } }, '/'] } });
    const { names } = sequenceOf('main', null);
    expect(names.explain('next', 'flow.main[0].get')).to.include('declare a first one, vars: { next: … }');
    expect(names.explain('next', 'flow.main[0]')).to.include('declare a first one');
    expect(names.explain('next', 'flow.main[01].get')).to.include('captured later, by');
  });

  it('requests of functions have no default header whose variable is captured later', () => {
    const request = ({ request }) => request('/');
    const flow = {
      ...{ baseUrl: 'http://h/', headers: { 'X-Id': '#{id}' }, beforeUser: request },
      main: [request, { get: '/id', capture: { id: '$.id' } }, request],
    };
    const { beforeMain, main } = compiledFlow(flow);
    const variablesOf = ({ call }) => {
      const { operation, compile } = call.read('/');
      return compile(
        (_, key) => operation[key],
        () => {},
      ).variables;
    };
    expect([beforeMain[0], main[0], main[2]].map(variablesOf)).to.deep.equal([[], [], ['id']]);
  });

  it('requests of functions with different proxies have steps of their own', () => {
    const [{ call }] = compiledFlow([() => {}]).main;
    const keyOf = (proxy) => call.read({ get: 'http://h/', proxy }).key;
    expect(keyOf(new URL('http://a/'))).to.not.equal(keyOf(new URL('http://b/')));
    expect(keyOf(new URL('http://a/'))).to.equal(keyOf(new URL('http://a/')));
  });

  it('hooks cannot change in place what all requests share', () => {
    const tags = { team: 'x' };
    const shared = { tags, pause: { mean: 5, dev: 1 }, when: { id: { exists: true } } };
    const flow = { vars: { id: 1 }, main: [{ get: 'http://h/', beforeHooks: [() => {}], ...shared }] };
    const options = compiledFlow(flow).main[0].options({ index: 0, vars: {} });
    for (const key of Object.keys(shared)) expect(Object.isFrozen(options[key]), key).to.equal(true);
    expect(Object.isFrozen(tags)).to.equal(false);
  });

  it('a message says why a name has no value: it is captured later, in another scenario, or in each iteration', () => {
    const sequenceOf = sequencesOf();
    const explain = (phase, scenario, name) => sequenceOf(phase, scenario).names.explain(name);
    expect(explain('main', BUY, 'page')).to.equal(
      'has no value here: it is captured in another scenario, by flow.scenarios.browse.main[0].capture.page',
    );
    expect(explain('main', BUY, 'order')).to.include('captured later, by flow.scenarios.buy.main[0].capture.order');
    expect(explain('beforeMain', null, 'page')).to.include('captured later, by');
    expect(explain('after', null, 'pages')).to.equal(
      'is not a token. Did you mean #{page}? It is captured in each iteration, by flow.scenarios.browse.main[0].capture.page: use afterMain',
    );
    const after = sequencesOf({ phases: { after: [{}, { capture: { x: '$' } }] } })('after', null);
    expect(after.names.explain('x')).to.equal('has no value here: it is captured later, by flow.after[1].capture.x');
  });

  it('a capture with the name of a token of the flow is reported', () => {
    const problems = createProblems('E_FLOW');
    const scenarios = [{ where: 'flow.scenarios.buy', phases: { main: [{ capture: { id: '$' } }] } }];
    createSequences({ tokens: { id: () => 1 }, vars: {}, phases: {}, scenarios }, { seed: 1, problems });
    expect(problems.list).to.deep.equal([
      { path: 'flow.scenarios.buy.main[0].capture.id', reason: 'is the name of flow.tokens.id, too: rename one' },
    ]);
  });
});
