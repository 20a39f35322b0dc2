import { createHash } from 'node:crypto';

/**
 * A handler for `serving` that answers as a GraphQL server does: items by their id, errors for those below 0, and queries
 * by their hash once it has seen the text.
 */
export function shop() {
  const known = new Map();
  return (_request, response, text) => {
    const { query, variables = {}, operationName = null, extensions } = JSON.parse(text);
    const hash = extensions?.persistedQuery.sha256Hash;
    if (query !== undefined && hash !== undefined) known.set(hash, query);
    const stored = query ?? known.get(hash);
    const say = (status, value) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (stored === undefined) say(200, { errors: [{ message: 'PersistedQueryNotFound' }] });
    else if (hash !== undefined && hash !== createHash('sha256').update(stored).digest('hex'))
      say(400, { errors: [{ message: 'provided sha does not match query' }] });
    else if (stored.includes('broken')) say(400, { errors: [{ message: 'Syntax Error: Unexpected }.' }] });
    else if (variables.id < 0)
      say(200, {
        data: { item: null },
        errors: [
          { message: `no item ${variables.id}`, path: ['item', 0, 'name'], extensions: { code: 'NOT_FOUND' } },
          { message: 'another one' },
        ],
      });
    else say(200, { data: { item: { id: variables.id, name: `item ${variables.id}`, operationName } } });
  };
}
