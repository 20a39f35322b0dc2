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
      request: { method, url: new URL(address, 'http://shop.test').href, ...sent },
      response: { status: answer.status ?? 200, ...message(answer) },
      ...more,
    };
  });
}

function message({ json, form, text, html, headers = {}, cookies = [] }) {
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : form !== undefined
        ? String(new URLSearchParams(form))
        : (html ?? text ?? '');
  const type =
    json !== undefined
      ? 'application/json'
      : form !== undefined
        ? 'application/x-www-form-urlencoded'
        : html !== undefined
          ? 'text/html'
          : text !== undefined
            ? 'text/plain'
            : null;
  return {
    headers: [
      ...(type === null || 'content-type' in headers ? [] : [['Content-Type', type]]),
      ...Object.entries(headers),
      ...cookies.map((cookie) => ['Set-Cookie', cookie]),
    ],
    body: Buffer.from(body),
  };
}
