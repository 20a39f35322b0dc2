import { seeing } from './seeing.js';

/** What after-hooks see of the response. */
export const RESPONSES = [
  {
    name: 'all.body is text, and parsed with json: true',
    flow: (url, log) => [
      { get: `${url}/json`, afterHooks: [seeing('text', log, (all) => all.body)] },
      { get: `${url}/json`, json: true, afterHooks: [seeing('value', log, (all) => all.body)] },
      { post: `${url}/json`, json: { a: 1 }, afterHooks: [seeing('value', log, (all) => all.body)] },
    ],
  },
  {
    name: 'all.body of an empty response',
    flow: (url, log) => [{ get: `${url}/empty`, afterHooks: [seeing('empty', log, (all) => all.body)] }],
  },
  {
    name: 'all.body of an empty response with json',
    flow: (url, log) => [
      { get: `${url}/empty`, json: true, afterHooks: [seeing('empty', log, (all) => [typeof all.body])] },
    ],
  },
  {
    name: 'all.body of a HEAD',
    flow: (url, log) => [{ head: `${url}/a`, afterHooks: [seeing('head', log, (all) => all.body)] }],
  },
  {
    name: 'all.response has status, headers and body',
    flow: (url, log) => [
      {
        get: `${url}/created`,
        json: true,
        afterHooks: [seeing('response', log, ({ response: r }) => [r.statusCode, r.headers.location, r.body])],
      },
    ],
  },
  {
    name: 'all.response.headers has set-cookie as a list',
    flow: (url, log) => [
      { get: `${url}/cookie/1`, afterHooks: [seeing('cookie', log, (all) => all.response.headers['set-cookie'])] },
    ],
  },
  {
    name: 'all.response.request says where it came from',
    flow: (url, log) => [
      {
        get: `${url}/redirect/302`,
        afterHooks: [
          seeing('request', log, ({ response }) => [
            response.request.uri.href,
            response.request.method,
            response.request.uri.pathname,
          ]),
        ],
      },
    ],
  },
  {
    name: 'what hooks have kept is read at the end of the run',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const kept = [];
        const keep = (all) => (kept.push(all), all);
        const flow = { post: `${url}/json`, json: { i: '#{INDEX}' }, afterHooks: [keep] };
        benchrest(flow, { limit: 1, iterations: 3 }).on('end', () => {
          for (const { env, body, response, requestOptions } of kept)
            log(env.index, body.id, response.statusCode, response.body.id, requestOptions.json.i);
          done();
        });
      }),
  },
  {
    name: 'a hook parses all.body, and the next one reads all.response.body',
    flow: (url, log) => ({
      get: `${url}/json`,
      afterHooks: [
        (all) => ((all.body = JSON.parse(all.body)), all),
        (all) => (log(all.body.id, JSON.parse(all.response.body).id), all),
        (all) => ((all.response.body = 'other'), all),
        (all) => (log(typeof all.body, all.response.body), all),
      ],
    }),
  },
  {
    name: 'all.response.request has host, port and body',
    flow: (url, log) => {
      const parts = ({ host, port, method, body, uri }) => log(host, String(port) === uri.port, method, body, uri.path);
      const print = (all) => (parts(all.response.request), all);
      return [
        { post: `${url}/a?b=1`, json: { id: '#{INDEX}' }, afterHooks: [print] },
        { put: `${url}/a`, body: 'text', afterHooks: [print] },
        { post: `${url}/a`, body: Buffer.from([255]), afterHooks: [print] },
        { get: `${url}/a`, afterHooks: [print] },
      ];
    },
  },
  {
    name: 'all.response.request.headers has what the operation has, as it is written',
    flow: (url, log) => ({
      post: `${url}/a`,
      body: 'x',
      headers: { 'X-Own': '1', 'content-type': 'text/plain' },
      afterHooks: [
        ({ response, ...all }) => (
          log(response.request.headers['X-Own'], response.request.headers['content-type']),
          { response, ...all }
        ),
      ],
    }),
  },
  {
    name: 'all.response.request.headers has what json adds',
    flow: (url, log) => ({
      post: `${url}/a`,
      json: {},
      afterHooks: [(all) => (log(Object.keys(all.response.request.headers).filter((name) => /type/i.test(name))), all)],
    }),
  },
  {
    name: 'all.response has the times of its request',
    flow: (url, log) => {
      const print = ({ response }) => {
        const { timings, timingPhases, timingStart, responseStartTime, elapsedTime } = response;
        log(Object.keys(timings).sort(), Object.keys(timingPhases).sort());
        log([...Object.values(timings), ...Object.values(timingPhases)].every((ms) => ms >= 0 && ms < 60_000));
        log(Math.abs(timingPhases.total - timings.end) < 1, timings.response <= timings.end, typeof elapsedTime);
        log(Math.abs(timingStart - Date.now()) < 60_000, Math.abs(responseStartTime - timingStart) < 60_000);
      };
      const seen = (all) => (print(all), all);
      return [
        { get: `${url}/a`, time: true, afterHooks: [seen] },
        { get: `${url}/redirect/302`, time: true, afterHooks: [seen] },
      ];
    },
  },
];
