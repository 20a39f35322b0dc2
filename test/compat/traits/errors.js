const throwing = () => {
  throw new Error('boom');
};

/** A phase of which one operation fails, and what runs then. */
const failing = (phase) => (url) => ({
  before: [{ get: `${url}/b` }],
  beforeMain: [{ get: `${url}/bm` }],
  main: [{ get: `${url}/m` }],
  afterMain: [{ get: `${url}/am` }],
  after: [{ get: `${url}/a` }],
  [phase]: [{ get: `${url}/status/500` }, { get: `${url}/next` }],
});

/** What fails, how it is emitted and counted, and what runs then. */
export const ERRORS = [
  ...['before', 'beforeMain', 'main', 'afterMain', 'after'].map((phase) => ({
    name: `a failing operation of ${phase}`,
    flow: failing(phase),
    options: () => ({ limit: 1, iterations: 2 }),
  })),
  ...[400, 404, 500, 503].map((status) => ({
    name: `status ${status} is an error`,
    flow: (url) => `${url}/status/${status}`,
  })),
  ...[201, 202, 304].map((status) => ({ name: `status ${status} is none`, flow: (url) => `${url}/status/${status}` })),
  {
    name: 'a status that is an error has the text of 1.2.4',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/status/404`, { limit: 1, iterations: 1 }).on('error', (err) => log(err.message)),
  },
  {
    name: 'a refused connection has its code',
    program: ({ log, benchrest }) =>
      void benchrest('http://127.0.0.1:1/', { limit: 1, iterations: 1 }).on('error', (err) => log(err.code)),
  },
  {
    name: 'a connection that breaks has its code',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/destroy`, { limit: 1, iterations: 1 }).on('error', (err) => log(err.code)),
  },
  {
    name: 'the server closes a connection that had carried another request',
    flow: (url) => [{ get: `${url}/a` }, { get: `${url}/destroy` }],
  },
  {
    name: 'the server closes a connection that had carried another request, of a POST',
    flow: (url) => [{ get: `${url}/a` }, { post: `${url}/destroy`, body: 'x' }],
  },
  {
    name: 'a timeout has its code',
    program: ({ url, log, benchrest }) =>
      void benchrest({ get: `${url}/never`, timeout: 50 }, { limit: 1, iterations: 1 }).on('error', (err) =>
        // while connecting, or later
        log(err.code.replace(/SOCKET|_(REQUEST|CONNECT)$/g, '')),
      ),
  },
  {
    name: 'every iteration that fails is counted',
    flow: (url) => `${url}/status/500`,
    options: () => ({ limit: 1, iterations: 5 }),
  },
  {
    name: 'a hook of beforeMain throws in some iterations',
    flow: (url) => {
      const odd = (all) => {
        if (all.env.index % 2) throw new Error('odd');
        return all;
      };
      return { beforeMain: [{ get: `${url}/bm`, beforeHooks: [odd] }], main: [{ get: `${url}/m` }] };
    },
    options: () => ({ limit: 1, iterations: 4 }),
  },
  {
    name: 'main and afterMain may both fail in one iteration',
    flow: (url) => ({ main: [{ get: `${url}/status/500` }], afterMain: [{ get: `${url}/status/501` }] }),
  },
  {
    name: 'a before-hook that throws',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [throwing] }, { get: `${url}/b` }],
  },
  {
    name: 'an after-hook that throws',
    flow: (url) => [{ get: `${url}/a`, afterHooks: [throwing] }, { get: `${url}/b` }],
  },
  {
    name: 'what a hook throws has its message',
    program: ({ url, log, benchrest }) =>
      void benchrest({ get: `${url}/a`, afterHooks: [throwing] }, { limit: 1, iterations: 1 }).on('error', (err) =>
        log(/boom/.test(err.message)),
      ),
  },
  {
    name: 'an error of a hook has a code of its own',
    program: ({ url, log, benchrest }) => {
      const fail = () => {
        throw Object.assign(new Error('mine'), { code: 'EMINE' });
      };
      benchrest({ get: `${url}/a`, afterHooks: [fail] }, { limit: 1, iterations: 1 }).on('error', ({ code }) =>
        log(code),
      );
    },
  },
  {
    name: 'an after-hook that throws keeps later hooks from running',
    flow: (url, log) => [{ get: `${url}/a`, afterHooks: [throwing, (all) => (log('later'), all)] }],
  },
  {
    name: 'a hook that throws a text',
    flow: (url) => [
      {
        get: `${url}/a`,
        afterHooks: [
          () => {
            throw 'boom';
          },
        ],
      },
    ],
  },
  {
    name: 'a hook that throws in afterMain',
    flow: (url) => ({ main: [{ get: `${url}/a` }], afterMain: [{ get: `${url}/b`, afterHooks: [throwing] }] }),
  },
  {
    name: 'after-hooks see the error of the request',
    flow: (url, log) => [
      { get: 'http://127.0.0.1:1/', afterHooks: [(all) => (log(all.err.code, all.response, all.body), all)] },
    ],
  },
  {
    name: 'an after-hook sets an error',
    flow: (url) => [
      { get: `${url}/a`, afterHooks: [(all) => ((all.err = new Error('bad')), all)] },
      { get: `${url}/b` },
    ],
  },
  {
    name: 'a status of 400 is no error for hooks',
    flow: (url, log) => [
      { get: `${url}/status/404`, afterHooks: [(all) => (log(all.err, all.response.statusCode, all.body), all)] },
    ],
  },
  {
    name: 'a hook sets the status',
    flow: (url) => [
      { get: `${url}/status/404`, afterHooks: [(all) => ((all.response.statusCode = 200), all)] },
      { get: `${url}/b` },
    ],
  },
  {
    name: 'the JSON of a response is broken',
    flow: (url, log) => [{ get: `${url}/broken`, json: true, afterHooks: [(all) => (log(all.body), all)] }],
  },
  {
    name: 'ignoreStatus goes on',
    flow: (url) => [{ get: `${url}/status/404`, afterHooks: ['ignoreStatus'] }, { get: `${url}/b` }],
  },
  {
    name: 'verify2XX refuses 304',
    flow: (url) => [{ get: `${url}/status/304`, afterHooks: ['verify2XX'] }, { get: `${url}/b` }],
  },
  {
    name: 'verify2XX accepts 204',
    flow: (url) => [{ get: `${url}/empty`, afterHooks: ['verify2XX'] }, { get: `${url}/b` }],
  },
  {
    name: 'ignoreStatus before verify2XX',
    flow: (url) => [{ get: `${url}/status/404`, afterHooks: ['ignoreStatus', 'verify2XX'] }],
  },
  {
    name: 'a listener of error that throws',
    program: ({ url, benchrest }) =>
      void benchrest(`${url}/status/500`, { limit: 1, iterations: 1 }).on('error', throwing),
  },
  {
    name: 'a listener of end that throws',
    program: ({ url, benchrest }) => void benchrest(`${url}/a`, { limit: 1, iterations: 1 }).on('end', throwing),
  },
  {
    name: 'an error can be sent to another process',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/status/500`, { limit: 1, iterations: 1 }).on('error', (err) =>
        log(typeof JSON.stringify({ err })),
      ),
  },
];
