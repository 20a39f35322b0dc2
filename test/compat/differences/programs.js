/** Programs and hooks. @type {import('./index.js').Differences} */
export const PROGRAMS = {
  'errors without a listener': {
    guide: 'An error without a listener',
    theirs: { outcome: 'crashes' },
    ours: { outcome: 'ends' },
  },
  'the name of an error': {
    guide: 'Errors of the library are named',
    theirs: { log: ['Error', 'error statusCode: 500'] },
    ours: { log: ['BenchRestError', 'error statusCode: 500'] },
  },
  'the mean of a step timer that never ends': {
    guide: 'The `mean` of a timer',
    theirs: { log: [[null, null, 0]], figures: ['stats.step_0.histogram.mean: number'] },
    ours: { log: [[null, null, null]] },
  },
  'a copy of all has its request options': {
    guide: 'A copy of `all`',
    theirs: { log: ['object'] },
    ours: { log: ['undefined'] },
  },
  'a hook sets all.env.user': {
    guide: '`all.env.user` that a before-hook sets',
    theirs: { requests: ['GET /a, host: TARGET', 'GET /b, authorization: Basic am9lOng=, host: TARGET'] },
    ours: {
      requests: [
        'GET /a, authorization: Basic am9lOng=, host: TARGET',
        'GET /b, authorization: Basic am9lOng=, host: TARGET',
      ],
    },
  },
  'a failing operation of before': {
    guide: '`after` runs when `before` fails',
    theirs: { requests: ['GET /status/500, host: TARGET'], figures: ['stats: object'] },
    ours: { requests: ['GET /status/500, host: TARGET', 'GET /a, host: TARGET'] },
  },
  'a failing operation of beforeMain': {
    guide: '`afterMain` runs when `beforeMain` fails',
    theirs: {
      requests: [
        'GET /b, host: TARGET',
        'GET /status/500, host: TARGET',
        'GET /status/500, host: TARGET',
        'GET /a, host: TARGET',
      ],
    },
    ours: {
      requests: [
        'GET /b, host: TARGET',
        'GET /status/500, host: TARGET',
        'GET /am, host: TARGET',
        'GET /status/500, host: TARGET',
        'GET /am, host: TARGET',
        'GET /a, host: TARGET',
      ],
    },
  },
  'a hook that throws a text': {
    guide: 'What a hook throws is emitted as the `cause`',
    theirs: { errors: ['string, main'] },
    ours: { errors: ['Error, main'] },
  },
  'all.env.group and actionName name the operation': {
    guide: '`all.env` has no `group` and `actionName`',
    theirs: { log: ['env: ["beforeMain","beforeMain_0"]', 'env: ["main","main_0"]'] },
    ours: { log: ['env: [null,null]', 'env: [null,null]'] },
  },
  'all.iterCtx is not there in before and after': {
    guide: '`all.iterCtx` is an object in `before` and `after`',
    theirs: { log: ['ctx: true'] },
    ours: { log: ['ctx: false'] },
  },
  'a hook sets url': {
    guide: 'Changes of `requestOptions` by a before-hook',
    theirs: { requests: ['GET /a, host: TARGET'] },
    ours: { requests: ['GET /b, host: TARGET'] },
  },
  'a hook sets get': {
    guide: 'Changes of `requestOptions` by a before-hook',
    theirs: { requests: ['GET /a, host: TARGET'], errors: [], errorCounts: [0] },
    ours: { requests: [], errors: ['Error, main'], errorCounts: [1] },
  },
  'a hook goes on by cb later': {
    guide: 'A hook that calls `all.cb` later',
    theirs: { requests: ['GET /a, host: TARGET', 'GET /b, host: TARGET'], errors: [], errorCounts: [0] },
    ours: { requests: ['GET /a, host: TARGET'], errors: ['Error, main'], errorCounts: [1] },
  },
  'the ETag after a POST belongs to its Location': {
    guide: 'The ETag after a POST is stored',
    theirs: { log: ['etags: {"/items/7":"\\"new\\""}'] },
    ours: { log: ['etags: {"/items/7":"\\"new\\"","http://TARGET/items/7":"\\"new\\""}'] },
  },
  'step timers of beforeMain and main with the same number': {
    guide: 'Step timers of `beforeMain`',
    theirs: {
      figures: [
        'stats.step_0.meter.count: 2',
        'stats.step_0.histogram.variance: number',
        'stats.step_0.histogram.count: 2',
      ],
    },
    ours: {},
  },
  'options are changed after the call': {
    guide: 'Run options are read when',
    theirs: {
      requests: [
        'GET /a, authorization: Basic bGF0ZTp1bmRlZmluZWQ=, host: TARGET',
        'GET /a, authorization: Basic bGF0ZTp1bmRlZmluZWQ=, host: TARGET',
      ],
    },
    ours: { requests: ['GET /a, host: TARGET', 'GET /a, host: TARGET'] },
  },
  'a hook changes headers that two operations share': {
    guide: 'Each operation and iteration has `requestOptions` of its own',
    theirs: { requests: ['GET /a, a: 1, host: TARGET, x-n: 5', 'GET /b, a: 1, host: TARGET, x-n: 5'] },
    ours: { requests: ['GET /a, a: 1, host: TARGET, x-n: 5', 'GET /b, a: 1, host: TARGET'] },
  },
  'a hook sets err to a text': {
    guide: 'What a hook throws is emitted as the `cause`',
    theirs: { errors: ['string, main'] },
    ours: { errors: ['Error, main'] },
  },
  'a hook sets body beside json': {
    guide: 'Changes of `requestOptions` by a before-hook',
    theirs: {
      requests: [
        'POST /echo, accept: application/json, content-length: 7, content-type: application/json, host: TARGET <{"a":1}>',
      ],
      errors: [],
      errorCounts: [0],
    },
    ours: { requests: [], errors: ['Error, main'], errorCounts: [1] },
  },
  'all.response.request.headers has what json adds': {
    guide: 'The names in `all.response.request.headers`',
    theirs: { log: [['content-type']] },
    ours: { log: [['Content-Type']] },
  },
  'an error of a hook has a code of its own': {
    guide: 'What a hook throws is emitted',
    theirs: { log: ['EMINE'] },
    ours: { log: ['E_HOOK'] },
  },
  'every entry of stats but totalElapsed is a timer': {
    guide: '`stats` has more entries',
    theirs: { log: [true] },
    ours: { log: [false] },
  },
  'an async function returns the run': {
    guide: 'A run is a promise',
    theirs: { log: ['function'] },
    ours: { log: ['undefined'] },
  },
  'stats.main of a run that never got there': {
    guide: '`stats.main` is there',
    theirs: { log: ['undefined'] },
    ours: { log: ['object'] },
  },
  'stats.totalElapsed in progress': {
    guide: '`stats.totalElapsed` is a number',
    theirs: { log: [['object']] },
    ours: { log: [['number']] },
  },
  'the second parameter of a hook': {
    guide: 'A second parameter of a hook',
    theirs: { log: ['undefined', 'undefined'] },
    ours: { log: ['function', 'function'] },
  },
};
