/** @import { CompiledFlow } from '../../../contracts/step.js' */

/** @typedef {ReturnType<typeof routesOf>} Routes */

/** A message to a process of the service has 64 kB. */
const MOST_CHARACTERS = 40_000;
const CHARACTERS_OF_ROUTE = 200;
const LONGEST_NAME = 100;
const TOKEN = /#\{[^{}]*\}/;

/**
 * Lists the operations of a flow as a service sees them: by method and URL, those with most text first. Operations with
 * the same method and URL are one. A URL with another query than the flow has belongs to its path.
 * @param {CompiledFlow} flow
 */
export function routesOf(flow) {
  /** @type {Map<string, { method: string, path: string, names: Set<string> }>} */
  const routes = new Map();
  for (const { route, name } of Object.values(flow).flat()) {
    if (route === undefined) continue;
    const key = `${route.method} ${route.path.split(TOKEN).join('#{}')}`;
    const known = routes.get(key) ?? { ...route, names: new Set() };
    known.names.add(name);
    routes.set(key, known);
  }
  let rest = MOST_CHARACTERS;
  // Each character of a pattern may become three in a message: a dot is `\\.` there.
  const lengthOf = (/** @type {string} */ path) => JSON.stringify(patternOf(path)).length;
  const kept = [...routes.values()].filter(({ path }) => {
    if (rest <= CHARACTERS_OF_ROUTE) return false;
    const length = 2 * lengthOf(path) + CHARACTERS_OF_ROUTE;
    if (length >= rest) return false;
    rest -= length;
    return true;
  });
  const patterns = kept.flatMap(({ method, path }, operation) => {
    const [withoutQuery] = path.split('?');
    const literals = path.split(TOKEN).join('').length;
    const own = { operation, method, literals };
    return [
      { ...own, isWhole: true, url: `^${patternOf(path)}$` },
      { ...own, isWhole: false, url: `^${patternOf(withoutQuery)}(?:[?]|$)` },
    ];
  });
  patterns.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.literals - a.literals);
  return {
    names: kept.map(({ names }) => [...names].join(', ').slice(0, LONGEST_NAME)),
    patterns: patterns.map(({ operation, method, url }) => ({ operation, method, url })),
  };
}

/** @type {(path: string) => string} */
function patternOf(path) {
  const [before, ...query] = path.split('?');
  const literal = (/** @type {string} */ text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  /** @type {(part: string, token: string) => string} */
  const pattern = (part, token) => {
    const texts = part.split(TOKEN).map(literal);
    // Tokens side by side are one: each more would try all places again.
    return texts.filter((text, i) => i === 0 || i === texts.length - 1 || text !== '').join(token);
  };
  return [pattern(before, '[^/?]*'), ...query.map((part) => pattern(part, '[^&]*'))].join('[?]');
}
