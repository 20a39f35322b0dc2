/** Time of the first exchange. */
export const START = Date.parse('2026-01-05T10:00:00.000Z');

/**
 * Recorded exchanges, one every 100 ms: each `[line, request, response]`. The line is method and path, or URL. Request
 * and response may have `json`, `form`, `text`, `html`, `headers` and `cookies`; a number is a status.
 */
export function exchanges(...rows) {
  return rows.map(([line, request = {}, response = {}, more = {}], i) => {
    const [method, address] = line.split(' ');
    const sent = message(request);
    const answer = typeof response === 'number' ? { status: response } : response;
    return {
      startedAt: START + 100 * i,
      endedAt: START + 100 * i + 50,
      client: '',
      request: {
        method,
        url: new URL(address, 'http://shop.test').href,
        ...sent,
        headers: asking(sent.headers, request),
      },
      response: { status: answer.status ?? 200, ...message(answer) },
      ...more,
    };
  });
}

/** A request with JSON asks for JSON, unless it asks for something else. */
function asking(headers, { json }) {
  const isAsking = json === undefined || headers.some(([name]) => name.toLowerCase() === 'accept');
  return isAsking ? headers : [['Accept', 'application/json'], ...headers];
}

const BODIES = [
  { name: 'json', type: 'application/json', print: JSON.stringify },
  { name: 'form', type: 'application/x-www-form-urlencoded', print: (form) => String(new URLSearchParams(form)) },
  { name: 'html', type: 'text/html', print: String },
  { name: 'text', type: 'text/plain', print: String },
];

function message({ headers = {}, cookies = [], ...given }) {
  const body = BODIES.find(({ name }) => given[name] !== undefined);
  return {
    headers: [
      ...(body === undefined || 'content-type' in headers ? [] : [['Content-Type', body.type]]),
      ...Object.entries(headers),
      ...cookies.map((cookie) => ['Set-Cookie', cookie]),
    ],
    body: Buffer.from(body === undefined ? '' : body.print(given[body.name])),
  };
}
