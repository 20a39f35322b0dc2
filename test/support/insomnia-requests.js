import { parse } from 'yaml';

const PLACEHOLDER = /\{\{\s*_\.([\w.]+)\s*\}\}/g;
const RESPONSE = /\{%\s*response 'body', '([^']+)', 'b64::([^']*)::46b'[^%]*%\}/g;

/**
 * Lists the requests of an export of Insomnia as its documentation describes them: values of folders replace those of
 * the environment, `{% response %}` reads the given response, and folders give their fields and credentials.
 */
export function requestsOf(text, response) {
  const { collection, environments } = parse(text);
  const walk = (items, outer) =>
    items.flatMap((one) =>
      one.children ? walk(one.children, [...outer, one]) : requestOf(one, outer, environments.data, response),
    );
  return walk(collection, []);
}

function requestOf(request, outer, base, response) {
  const values = Object.assign({}, base, ...outer.map(({ environment }) => environment));
  const filled = (template) =>
    String(template)
      .replace(PLACEHOLDER, (_, name) => filled(values[name]))
      .replace(RESPONSE, (_, id, path) => response[Buffer.from(path, 'base64').toString().replace('$.', '')]);
  const fields = [...outer, request].flatMap(({ headers = [] }) => headers).filter(({ disabled }) => !disabled);
  const headers = Object.fromEntries(fields.map(({ name, value }) => [name.toLowerCase(), filled(value)]));
  const auth = [request, ...outer.toReversed()].find(({ authentication }) => authentication?.type)?.authentication;
  if (auth?.type === 'bearer' && !headers.authorization)
    headers.authorization = `${auth.prefix ?? 'Bearer'} ${filled(auth.token)}`;
  if (auth?.type === 'basic' && !headers.authorization)
    headers.authorization = `Basic ${btoa(`${filled(auth.username)}:${filled(auth.password)}`)}`;
  const pairs = (all = []) =>
    all
      .filter(({ disabled }) => !disabled)
      .map(({ name, value }) => `${name}=${encodeURIComponent(filled(value))}`)
      .join('&');
  const { pathname, search } = new URL(filled(request.url));
  const query = [search.slice(1), pairs(request.parameters)].filter(Boolean).join('&');
  const { mimeType, text = '', params } = request.body ?? {};
  return {
    request: `${request.method} ${pathname}${query && `?${query}`}`,
    type: headers['content-type'] ?? mimeType,
    authorization: headers.authorization,
    body: params ? pairs(params) : filled(text),
  };
}
