import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { stringify } from 'yaml';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read as readArtillery } from '../../../../lib/addons/import/artillery/index.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/artillery', () => {
  it('requests of parallel are sent one after the other, and this is named', async () => {
    const flow = [{ parallel: [{ get: { url: '/a' } }, { get: { url: '/b' } }] }];
    const text = JSON.stringify({ config: { target: 'http://h' }, scenarios: [{ name: 'one', flow }] });
    const draft = await readArtillery(text, options);
    expect(flowOf(draft).main.map(({ get }) => get)).to.deep.equal(['/a', '/b']);
    expect(draft.skipped).to.deep.include({
      what: 'parallel of one',
      why: 'its requests are sent one after the other',
    });
  });

  const script = {
    config: {
      target: 'http://localhost:3000',
      phases: [
        { duration: 60, arrivalRate: 5, rampTo: 20 },
        { duration: '2m', arrivalRate: 20 },
      ],
      payload: { path: 'users.csv', fields: ['name', 'password'], order: 'sequence' },
      variables: { colors: ['red', 'green'], size: 7 },
      defaults: { headers: { 'X-A': '{{ size }}' } },
      ensure: { p95: 200, maxErrorRate: 1 },
    },
    scenarios: [
      {
        name: 'buy',
        weight: 3,
        flow: [
          {
            post: {
              url: '/login',
              json: { user: '{{ name }}', password: '{{ password }}' },
              capture: { json: '$.token', as: 'token' },
              expect: [{ statusCode: 200 }],
            },
          },
          { think: 2 },
          {
            loop: [
              {
                get: {
                  url: '/items/{{ $randomNumber(1,9) }}?c={{ colors }}',
                  headers: { Authorization: 'Bearer {{ token }}' },
                },
              },
            ],
            count: 3,
          },
          { function: 'doIt' },
        ],
      },
      { flow: [{ get: '/' }] },
    ],
  };

  it('translates load, payload, scenarios, captures and checks', async () => {
    const draft = await readArtillery(stringify(script), { ...options, flowFolder: join(tmpdir(), 'flows') });
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://localhost:3000',
      headers: { 'X-A': '#{size}' },
      data: {
        payload: { file: join(tmpdir(), 'users.csv'), order: 'sequential', columns: ['name', 'password'] },
        colors: { rows: [{ value: 'red' }, { value: 'green' }], order: 'random' },
      },
      vars: { size: 7 },
      runOptions: { stages: ['1ms:5', '60s:20', '120s:20'] },
      thresholds: { 'ttfb.p95': '<200ms', errors: '<=1%' },
      scenarios: {
        buy: {
          weight: 3,
          main: [
            {
              post: '/login',
              headers: { Accept: '*/*' },
              json: { user: '#{payload.name}', password: '#{payload.password}' },
              expect: { status: 200 },
              capture: { token: '$.token' },
              pause: '2s',
            },
            ...Array(3).fill({
              get: '/items/#{randomInt(1,9)}?c=#{colors.value}',
              headers: { Authorization: 'Bearer #{token}' },
            }),
          ],
        },
        'scenario 2': { main: [{ get: '/' }] },
      },
    });
    expect(draft.skipped).to.deep.equal([{ what: 'function of buy', why: 'it is not translated' }]);
  });

  it('random values are made anew at each use, also in the rounds of a loop', async () => {
    const json = {
      a: '{{ $randomString(5) }}',
      b: '{{ $randomString(5) }}-{{ $randomString() }}',
      c: '{{ $randomNumber(1,9) }}',
      d: ['{{ $uuid }}', '{{ $uuid }}'],
    };
    const loopOf = (count) => ({ loop: [{ get: { url: '/{{ $randomNumber(1,9) }}' } }], count });
    const flow = [{ post: { url: '/', json } }, loopOf(2), loopOf(99), { loop: [{ get: '/a' }], count: 2 }];
    const draft = await readArtillery(stringify({ config: { target: 'http://a' }, scenarios: [{ flow }] }), options);
    const [{ json: sent }, ...rounds] = flowOf(draft).main;
    expect(sent).to.deep.equal({
      a: '#{randomString(5)}',
      b: '#{randomString.2(5)}-#{randomString(10)}',
      c: '#{randomInt(1,9):text}',
      d: ['#{uuid.user}', '#{uuid.user}'],
    });
    const random = { get: '/#{randomInt(1,9)}' };
    expect(rounds).to.deep.equal([random, random, { ...random, repeat: 99 }, { get: '/a', repeat: 2 }]);
    expect(draft.skipped.map(({ why }) => why)).to.deep.equal(['its random values are the same in all rounds']);
  });

  it('templates in variables are those of the requests', async () => {
    const variables = { token: '{{ $processEnvironment.AUTH_TOKEN }}', id: 'a-{{ $randomString(2) }}' };
    const flow = [{ get: { url: '/{{ id }}', headers: { 'X-A': '{{ token }}' } } }];
    const draft = await readArtillery(
      stringify({ config: { target: 'http://a', variables }, scenarios: [{ flow }] }),
      options,
    );
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://a',
      main: [{ get: '/a-#{randomString(2)}', headers: { 'X-A': '#{env.AUTH_TOKEN}' } }],
    });
  });

  it('a loop may begin at a number, and qs replaces the query of a URL', async () => {
    const get = { url: '/{{ $loopCount }}-{{ $loopElement }}?a=1', qs: { b: 2 } };
    const flow = [{ loop: [{ get }], count: '3-5' }];
    const draft = await readArtillery(stringify({ config: { target: 'http://a' }, scenarios: [{ flow }] }), options);
    expect(flowOf(draft).main).to.deep.equal([
      { get: '/3-3', qs: { b: 2 } },
      { get: '/4-4', qs: { b: 2 } },
    ]);
  });

  it('default cookies are those of all requests, and {{ target }} is the address', async () => {
    const config = { target: 'http://a', defaults: { cookie: { a: '{{{ v }}};', b: 1 } }, variables: { v: 'x' } };
    const flow = [{ get: { url: '{{ target }}/b' } }];
    expect(flowOf(await readArtillery(stringify({ config, scenarios: [{ flow }] }), options))).to.deep.equal({
      baseUrl: 'http://a',
      vars: { v: 'x' },
      runOptions: { cookies: { a: '#{v}', b: '1' } },
      main: [{ get: '/b' }],
    });
  });

  it('a request that a flow sends otherwise than Artillery is named', async () => {
    const config = { target: 'http://a', payload: { path: 'a.csv', fields: ['id'] } };
    const post = { url: '/', json: { id: '{{ id }}', u: '{{ $uuid }}' } };
    const notesOf = async (flow) =>
      (await readArtillery(stringify({ config, scenarios: [{ flow }] }), options)).dialectNotes;
    const texts = 'Fields of the payload are texts in JSON: write those that are numbers as #{payload.field:number}.';
    expect(await notesOf([{ post }])).to.deep.equal([texts]);
    expect(await notesOf([{ post }, { get: { url: '/{{ $uuid }}' } }])).to.deep.equal([
      '{{ $uuid }} differs from request to request; Artillery has one for each virtual user.',
      texts,
    ]);
    const [of] = (
      await readArtillery(stringify({ config: { target: 'http://a/' }, scenarios: [{ flow: [{ post }] }] }), options)
    ).dialectNotes;
    expect(of).to.equal('The target ends with a slash: Artillery sends //path, and the flow /path.');
  });

  it('one phase at one rate is a rate and a duration, one scenario is main', async () => {
    const draft = await readArtillery(
      stringify({
        config: { target: 'http://localhost:3000/', phases: [{ duration: 10, arrivalRate: 3 }] },
        scenarios: [script.scenarios[1]],
      }),
      options,
    );
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://localhost:3000/',
      runOptions: { rate: 3, duration: '10s' },
      main: [{ get: '/' }],
    });
  });

  it('maxVusers is the limit of virtual users; a rate without one has a note', async () => {
    const usersOf = async (...users) => {
      const phases = users.map((maxVusers) => ({ duration: 10, arrivalRate: 20, maxVusers }));
      const script = { config: { target: 'http://a', phases }, scenarios: [{ flow: [{ get: { url: '/' } }] }] };
      const { properties, dialectNotes } = await readArtillery(stringify(script), options);
      return [properties.runOptions.limit, dialectNotes.join()];
    };
    const [limit, note] = await usersOf(undefined);
    expect(limit).to.equal(undefined);
    expect(note).to.match(/pass -c, the most at a time/);
    expect(await usersOf(50)).to.deep.equal([50, '']);
    expect(await usersOf(50, 70)).to.deep.equal([
      70,
      'maxVusers differs from phase to phase: limit is the highest, 70.',
    ]);
  });

  it('the conditions of plugins and of the script are thresholds, or named', async () => {
    const ensure = {
      thresholds: [
        { 'http.response_time.p99': 250 },
        { 'http.response_time.p999': 400 },
        { 'http.codes.500': 5 },
        { min: 'x' },
      ],
      conditions: [{ expression: 'a == 0' }],
    };
    const config = { target: 'http://a', plugins: { ensure: {} }, ensure: { ...ensure, maxErrorRate: 1 } };
    const flow = [{ get: { url: '/' } }, { get: { url: 'http://other/abs' } }];
    const draft = await readArtillery(stringify({ config, scenarios: [{ flow }] }), options);
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://a',
      thresholds: { errors: '<=1%', 'ttfb.p99': '<250ms', 'ttfb.p99.9': '<400ms', 'status.500': '<5' },
      main: [{ get: '/' }, { get: 'http://other/abs' }],
    });
    expect(draft.dialectNotes).to.deep.equal([
      'The condition a == 0 has no equivalent.',
      'The condition min is left out: its limit is no number.',
    ]);
  });

  it('lists of secrets are read from the environment', async () => {
    const script = {
      config: { target: 'http://x', variables: { apiKey: ['first-1', 'second-2'], t: ['third-3', 'fourth-4'] } },
      scenarios: [
        { flow: [{ get: { url: '/{{ apiKey }}', headers: { Authorization: 'Bearer {{ t }}', 'X-T': '{{ t }}' } } }] },
      ],
    };
    const [masked, kept] = await Promise.all(
      [false, true].map((keepSecrets) => readArtillery(JSON.stringify(script), { ...options, keepSecrets })),
    );
    expect(flowOf(masked).main).to.deep.equal([
      { get: '/#{env.API_KEY}', headers: { Authorization: 'Bearer #{env.T}', 'X-T': '#{env.T}' } },
    ]);
    expect(JSON.stringify(masked)).not.to.match(/first-1|second-2|third-3|fourth-4/);
    expect(flowOf(kept).main[0].get).to.equal('/#{apiKey.value}');
    expect(flowOf(kept).data.apiKey.rows).to.deep.equal([{ value: 'first-1' }, { value: 'second-2' }]);
  });

  it('captures of a flow hide fields of payloads only in the rest of this flow', async () => {
    const config = {
      target: 'http://a',
      payload: { path: 'users.csv', fields: ['id'] },
      variables: { payload: ['x', 'y'] },
    };
    const get = (as) => ({ get: { url: '/{{ id }}/{{ payload }}', capture: { json: '$.id', as } } });
    const scenarios = [{ flow: [get('id'), get('payload'), get('id')] }, { flow: [get('id')] }];
    const draft = await readArtillery(stringify({ config, scenarios, after: { flow: [get('id')] } }), options);
    const { data, ...flow } = flowOf(draft);
    expect(Object.keys(data)).to.deep.equal(['payload', 'payload_2']);
    expect(flow.scenarios['scenario 1'].main).to.deep.equal([
      { get: '/#{payload.id}/#{payload_2.value}', capture: { id: '$.id' } },
      { get: '/#{id}/#{payload_2.value}', capture: { payload_3: '$.id' } },
      { get: '/#{id}/#{payload_3}', capture: { id: '$.id' } },
    ]);
    const first = { get: '/#{payload.id}/#{payload_2.value}', capture: { id: '$.id' } };
    expect(flow.scenarios['scenario 2'].main).to.deep.equal([first]);
    expect(flow.after).to.deep.equal([first]);
  });

  it('an invalid status is left out, and an empty list is not a variable', async () => {
    const flow = [{ get: { url: '/{{ none }}', expect: [{ statusCode: '{{ status }}' }] } }];
    const config = { target: 'http://a', variables: { none: [] } };
    const draft = await readArtillery(JSON.stringify({ config, scenarios: [{ flow }] }), options);
    expect(flowOf(draft)).to.deep.equal({ baseUrl: 'http://a', main: [{ get: '/#{env.NONE}' }] });
    expect(draft.phases.main[0].comments).to.deep.equal(['The expectation statusCode is left out.']);
  });

  it('a note names values of default headers that nothing sets', async () => {
    const config = { target: 'http://a', defaults: { headers: { 'X-A': '{{ nothing }}' } } };
    const draft = await readArtillery(stringify({ config, scenarios: [{ flow: [{ get: '/' }] }] }), options);
    expect(draft.dialectNotes).to.deep.equal([
      '{{ nothing }} is set by a function, or nowhere: it is read from the environment.',
    ]);
  });

  for (const [what, steps, main] of [
    ['consecutive think times add up', ['/a', 1, '500ms'], [{ get: '/a', pause: '1.5s' }]],
    ['think time in a loop is in each round', [[['/a', 1], 3]], [{ get: '/a', pause: '1s', repeat: 3 }]],
    [
      'think time at the beginning of a loop moves to its end',
      [[[1, '/a'], 3]],
      [{ get: '/a', pause: '1s', repeat: 3 }],
    ],
    [
      'think time after a loop is in its last round only',
      [[['/a', 1], 3], '1 minute'],
      [
        { get: '/a', pause: '1s', repeat: 2 },
        { get: '/a', pause: '61s' },
      ],
    ],
    [
      'think time after a loop that is written out is in its last round only',
      [[['/a', '/b'], 2], 5],
      [{ get: '/a' }, { get: '/b' }, { get: '/a' }, { get: '/b', pause: '5s' }],
    ],
    ['the counts of nested loops are multiplied', [[[[['/a'], 2]], 3]], [{ get: '/a', repeat: 6 }]],
    ['a loop without requests adds no operation', ['/a', [[], 1e10]], [{ get: '/a' }]],
    ['a loop whose count is not a whole number runs once', [[['/a', '/b'], 2.5]], [{ get: '/a' }, { get: '/b' }]],
  ])
    it(what, async () => {
      const stepOf = (step) => {
        if (Array.isArray(step)) return { loop: step[0].map(stepOf), count: step[1] };
        return String(step).startsWith('/') ? { get: { url: step } } : { think: step };
      };
      const script = { config: { target: 'http://a' }, scenarios: [{ flow: steps.map(stepOf) }] };
      expect(flowOf(await readArtillery(JSON.stringify(script), options)).main).to.deep.equal(main);
    });

  it('the number of a round, and the item of a list, are in its requests', async () => {
    const get = { url: '/a', qs: { n: '{{ $loopCount }}', item: '{{$loopElement}}' } };
    const flow = [
      { loop: [{ get }], over: ['x', 'y'] },
      { loop: [{ get: '/b?{{ $loopCount }}' }], count: 2 },
    ];
    const script = { config: { target: 'http://a' }, scenarios: [{ flow }] };
    const { main } = flowOf(await readArtillery(JSON.stringify(script), options));
    expect(main).to.deep.equal([
      { get: '/a', qs: { n: '0', item: 'x' } },
      { get: '/a', qs: { n: '1', item: 'y' } },
      { get: '/b?0' },
      { get: '/b?1' },
    ]);
  });

  it('the path of the target is that of each request', async () => {
    const script = {
      config: { target: 'http://a/api/v1/' },
      scenarios: [{ flow: [{ get: '/b' }, { get: 'http://c/d' }] }],
    };
    const { baseUrl, main } = flowOf(await readArtillery(JSON.stringify(script), options));
    expect([baseUrl, main]).to.deep.equal(['http://a', [{ get: '/api/v1/b' }, { get: 'http://c/d' }]]);
  });

  it('a loop that is nested too deeply is reported', async () => {
    let step = { get: { url: '/deep' } };
    for (let depth = 0; depth < 7; depth++) step = { loop: [step], count: 2 };
    const script = { config: { target: 'http://a' }, scenarios: [{ name: 'a', flow: [{ get: '/' }, step] }] };
    const { skipped } = await readArtillery(JSON.stringify(script), options);
    expect(skipped).to.deep.equal([{ what: 'the loop of a', why: 'it is in too many loops' }]);
  });
});
