/** Flows and requests. @type {import('./index.js').Differences} */
export const REQUESTS = {
  'brackets and pipes in a query': {
    guide: 'URLs are read as browsers read them',
    theirs: { requests: ['GET /a?filter[name]=x%7Cy&z=%7B1%7D, host: TARGET'] },
    ours: { requests: ['GET /a?filter[name]=x|y&z={1}, host: TARGET'] },
  },
  'dots in a path': {
    guide: 'URLs are read as browsers read them',
    theirs: { requests: ['GET /a/../b/./c, host: TARGET'] },
    ours: { requests: ['GET /b/c, host: TARGET'] },
  },
  '#{INDEX} in headers': {
    guide: 'Tokens are replaced in',
    theirs: { requests: ['GET /a, host: TARGET, x-id: #{INDEX}'] },
    ours: { requests: ['GET /a, host: TARGET, x-id: 0'] },
  },
  '#{INDEX} in a form': {
    guide: 'Tokens are replaced in',
    theirs: {
      requests: [
        'POST /a, content-length: 17, content-type: application/x-www-form-urlencoded, host: TARGET <id=%23%7BINDEX%7D>',
      ],
    },
    ours: {
      requests: ['POST /a, content-length: 4, content-type: application/x-www-form-urlencoded, host: TARGET <id=0>'],
    },
  },
  '#{INDEX} in qs': {
    guide: 'Tokens are replaced in',
    theirs: { requests: ['GET /a?id=%23%7BINDEX%7D, host: TARGET'] },
    ours: { requests: ['GET /a?id=0, host: TARGET'] },
  },
  '#{INDEX} in uri beside method': {
    guide: 'Tokens are replaced in',
    theirs: { requests: ['GET /, host: TARGET'] },
    ours: { requests: ['GET /0, host: TARGET'] },
  },
  'a function that returns true as json': {
    guide: 'A function that returns true as `json`',
    theirs: { requests: ['POST /echo, accept: application/json, content-length: 0, host: TARGET'] },
    ours: {
      requests: [
        'POST /echo, accept: application/json, content-length: 4, content-type: application/json, host: TARGET <true>',
      ],
    },
  },
  'a connection that breaks has its code': {
    guide: 'The codes of timeouts',
    theirs: { log: ['ECONNRESET'] },
    ours: { log: ['E_RESET_BEFORE_HEAD'] },
  },
  'a timeout has its code': {
    guide: 'The codes of timeouts',
    theirs: { log: ['ETIMEDOUT'] },
    ours: { log: ['E_TIMEOUT'] },
  },
  'cookies of before': {
    guide: '`before` and `after` have cookies',
    theirs: { requests: ['GET /cookie/1, host: TARGET', 'GET /a, host: TARGET', 'GET /b, host: TARGET'] },
    ours: { requests: ['GET /cookie/1, host: TARGET', 'GET /a, cookie: s=1, host: TARGET', 'GET /b, host: TARGET'] },
  },
  useQuerystring: {
    guide: '`useQuerystring`',
    theirs: { requests: ['GET /a?a=1&a=2, host: TARGET'] },
    ours: { requests: ['GET /a?a%5B0%5D=1&a%5B1%5D=2, host: TARGET'] },
  },
  'a header that is null': {
    guide: 'A header that is null',
    theirs: { requests: ['GET /a, host: TARGET, x-u: null'] },
    ours: { requests: ['GET /a, host: TARGET'] },
  },
  'auth that waits for 401': {
    guide: 'A request that is repeated after 401',
    theirs: {
      requests: [
        'GET /private, host: TARGET',
        'GET /private, authorization: Basic YW5uOng=, host: TARGET, referer: http://TARGET/private',
      ],
    },
    ours: { requests: ['GET /private, host: TARGET', 'GET /private, authorization: Basic YW5uOng=, host: TARGET'] },
  },
  'Authorization of its own beside user': {
    guide: 'An `Authorization` of an operation',
    theirs: { requests: ['GET /private, authorization: Basic YTpi, host: TARGET'] },
    ours: { requests: ['GET /private, authorization: Own x, host: TARGET'] },
  },
  'a redirect of HEAD': {
    guide: 'The request after a redirect of HEAD',
    theirs: {
      requests: [
        'HEAD /redirect/302, host: TARGET',
        'HEAD /landed, content-length: 0, host: TARGET, referer: http://TARGET/redirect/302',
      ],
    },
    ours: {
      requests: ['HEAD /redirect/302, host: TARGET', 'HEAD /landed, host: TARGET, referer: http://TARGET/redirect/302'],
    },
  },
  followOriginalHttpMethod: {
    guide: '`followOriginalHttpMethod`',
    theirs: {
      requests: [
        'POST /redirect/302, content-length: 1, host: TARGET <x>',
        'POST /landed, content-length: 0, host: TARGET, referer: http://TARGET/redirect/302',
      ],
    },
    ours: {
      requests: [
        'POST /redirect/302, content-length: 1, host: TARGET <x>',
        'GET /landed, host: TARGET, referer: http://TARGET/redirect/302',
      ],
    },
  },
  'maxRedirects: 0': {
    guide: '`maxRedirects: 0`',
    theirs: { errors: ['Error, main'], errorCounts: [1] },
    ours: { errors: [], errorCounts: [0] },
  },
  'gzip: true': {
    guide: '`gzip: true` accepts Brotli',
    theirs: { requests: ['GET /gzip, accept-encoding: gzip, deflate, host: TARGET'] },
    ours: { requests: ['GET /gzip, accept-encoding: gzip, deflate, br, host: TARGET'] },
  },
  'jar: false': {
    guide: '`jar: false`',
    theirs: { requests: ['GET /cookie/1, host: TARGET', 'GET /a, cookie: s=1, host: TARGET'] },
    ours: { requests: ['GET /cookie/1, host: TARGET', 'GET /a, host: TARGET'] },
  },
  jsonReviver: {
    guide: '`jsonReviver`',
    theirs: { log: [{ id: 8, tags: ['a'], data: { token: 'secret' } }] },
    ours: { log: [{ id: 7, tags: ['a'], data: { token: 'secret' } }] },
  },
  'user without password': {
    guide: 'A user without a password',
    theirs: { requests: ['GET /0, authorization: Basic am9lOnVuZGVmaW5lZA==, host: TARGET'] },
    ours: { requests: ['GET /0, authorization: Basic am9lOg==, host: TARGET'] },
  },
  'a placeholder that no hook replaces': {
    guide: 'A text that is probably a misspelled token is refused',
    theirs: { requests: ['GET /a, host: TARGET'], errors: [], errorCounts: [0] },
    ours: { requests: [], errors: ['Error, main'], errorCounts: [1] },
  },
  'the own names of the argument of functions': {
    guide: 'Functions get more than `INDEX`',
    theirs: { log: [['INDEX']] },
    ours: { log: [['iterCtx', 'scenario', 'round', 'index', 'user', 'password', 'stats']] },
  },
  'json beside form': {
    guide: '`json` beside `form`',
    theirs: {
      requests: [
        'POST /echo, accept: application/json, content-length: 7, content-type: application/x-www-form-urlencoded, host: TARGET <{"a":1}>',
      ],
    },
    ours: {
      requests: [
        'POST /echo, accept: application/json, content-length: 7, content-type: application/json, host: TARGET <{"a":1}>',
      ],
    },
  },
  "gzip: 'true'": {
    guide: '`gzip: true` accepts Brotli',
    theirs: { requests: ['GET /a, accept-encoding: gzip, deflate, host: TARGET'] },
    ours: { requests: ['GET /a, accept-encoding: gzip, deflate, br, host: TARGET'] },
  },
  'formData without fields': {
    guide: 'An empty `formData`',
    theirs: {
      requests: ['POST /echo, content-length: any, content-type: multipart/form-data; boundary=BOUNDARY, host: TARGET'],
    },
    ours: {
      requests: [
        'POST /echo, content-length: any, content-type: multipart/form-data; boundary=BOUNDARY, host: TARGET <--BOUNDARY--\r\n>',
      ],
    },
  },
  'a list as Cookie beside the jar': {
    guide: 'A list as `Cookie`',
    theirs: { requests: ['GET /cookie/1, host: TARGET', 'GET /a, cookie: a=1,b=2; s=1, host: TARGET'] },
    ours: { requests: ['GET /cookie/1, host: TARGET', 'GET /a, cookie: a=1; b=2; s=1, host: TARGET'] },
  },
  'a function within json': {
    guide: 'Functions within `json`',
    theirs: {
      requests: [
        'POST /echo, accept: application/json, content-length: 7, content-type: application/json, host: TARGET <{"a":1}>',
      ],
    },
    ours: {
      requests: [
        'POST /echo, accept: application/json, content-length: 13, content-type: application/json, host: TARGET <{"a":1,"b":1}>',
      ],
    },
  },
  'a redirect 302 of PUT': {
    guide: 'A redirect by 301 or 302',
    theirs: {
      requests: [
        'PUT /redirect/302, content-length: 0, host: TARGET',
        'GET /landed, host: TARGET, referer: http://TARGET/redirect/302',
      ],
    },
    ours: {
      requests: [
        'PUT /redirect/302, content-length: 0, host: TARGET',
        'PUT /landed, content-length: 0, host: TARGET, referer: http://TARGET/redirect/302',
      ],
    },
  },
  'headers in a flow': {
    guide: 'Names that have a meaning now',
    theirs: { requests: ['GET /a, host: TARGET'] },
    ours: { requests: ['GET /a, host: TARGET, x: 1'] },
  },
  'repeat of its own': {
    guide: 'Names that have a meaning now',
    theirs: { requests: ['GET /a, host: TARGET'] },
    ours: { requests: ['GET /a, host: TARGET', 'GET /a, host: TARGET'] },
  },
  'a query that holds JSON': {
    guide: 'URLs are read as browsers read them',
    theirs: { requests: ['GET /v1?batch=[%7B%22eventname%22:%22view%22,%22id%22:1%7D], host: TARGET'] },
    ours: { requests: ['GET /v1?batch=[{%22eventname%22:%22view%22,%22id%22:1}], host: TARGET'] },
  },
  'Accept-Encoding of its own, without gzip': {
    guide: 'A compressed response is decoded',
    theirs: { log: [false] },
    ours: { log: [true] },
  },
  'a function that throws': {
    guide: 'A function that throws',
    theirs: { outcome: 'crashes' },
    ours: { outcome: 'ends' },
  },
  'the server closes a connection that had carried another request': {
    guide: 'A request without side effects',
    theirs: { requests: ['GET /a, host: TARGET', 'GET /destroy, host: TARGET'] },
    ours: { requests: ['GET /a, host: TARGET', 'GET /destroy, host: TARGET', 'GET /destroy, host: TARGET'] },
  },
  'a redirect 300 of GET': {
    guide: 'Redirects have the status',
    theirs: {
      requests: ['GET /redirect/300, host: TARGET', 'GET /landed, host: TARGET, referer: http://TARGET/redirect/300'],
    },
    ours: { requests: ['GET /redirect/300, host: TARGET'] },
  },
  'a redirect 305 of GET': {
    guide: 'Redirects have the status',
    theirs: {
      requests: ['GET /redirect/305, host: TARGET', 'GET /landed, host: TARGET, referer: http://TARGET/redirect/305'],
    },
    ours: { requests: ['GET /redirect/305, host: TARGET'] },
  },
  'gzip of a response that is cut off': {
    guide: 'A compressed response that is cut',
    theirs: {
      requests: ['GET /cut, accept-encoding: gzip, deflate, host: TARGET'],
      errors: [],
      errorCounts: [0],
      log: ['string'],
    },
    ours: {
      requests: ['GET /cut, accept-encoding: gzip, deflate, br, host: TARGET'],
      errors: ['Error, main'],
      errorCounts: [1],
      log: ['undefined'],
    },
  },
};
