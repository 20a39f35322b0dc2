import { resolve } from 'node:path';

import { NodeRecorder } from './node-recorder.js';
import { ProfileRecording } from './recording.js';

/** @import { CompiledFlow } from '../../../core/contracts/step.js' */
/** @import { ParticipantContext } from '../../../core/run/types.js' */
/** @import { ServerProcess } from '../types.js' */

/**
 * Opens the recording of a service. A run without the option does not load this file.
 * @type {(context: Pick<ParticipantContext, 'options' | 'flow' | 'service'>) => ProfileRecording}
 */
export function open({ options, flow, service }) {
  const { link = null, files: saveTo } = /** @type {Partial<ServerProcess>} */ (service);
  const { profile, start } = options;
  const { kinds, lastMs } = /** @type {NonNullable<typeof profile>} */ (profile);
  const routes = routesOf(flow);
  const recorder = new NodeRecorder(link, { kinds, saveTo, routes });
  return new ProfileRecording({ recorder, folder: resolve(start?.cwd ?? '.'), lastMs, operations: routes.names });
}

/** @typedef {ReturnType<typeof routesOf>} Routes */

/** Characters of all patterns: a message to a process of the service has at most 64 kB. */
const MOST_CHARACTERS = 40_000;
/** Characters of the names of a route, and of what surrounds its patterns. */
const CHARACTERS_OF_ROUTE = 200;
const LONGEST_NAME = 100;
const TOKEN = /#\{[^{}]*\}/;

/**
 * Lists the operations of a flow as a service sees them, by method and URL: `names` in the order of the flow, and
 * `patterns` in the order in which a URL is tried. Operations with the same method and URL are one. A URL with another
 * query than the flow has belongs to its path.
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
    // It gets two patterns, with its query and with any other one.
    const length = 2 * lengthOf(path) + CHARACTERS_OF_ROUTE;
    if (length >= rest) return false;
    rest -= length;
    return true;
  });
  const patterns = kept.flatMap(({ method, path }, operation) => {
    const [withoutQuery] = path.split('?');
    const own = { operation, method };
    return [
      { ...own, isWhole: true, literals: literalsOf(path), url: `^${patternOf(path)}$` },
      { ...own, isWhole: false, literals: literalsOf(withoutQuery), url: `^${patternOf(withoutQuery)}(?:[?]|$)` },
    ];
  });
  // `/items/latest` comes before `/items/#{id}`, whose pattern matches both.
  patterns.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.literals - a.literals);
  return {
    names: kept.map(({ names }) => [...names].join(', ').slice(0, LONGEST_NAME)),
    patterns: patterns.map(({ operation, method, url }) => ({ operation, method, url })),
  };
}

/** Counts the characters outside of tokens. @type {(path: string) => number} */
function literalsOf(path) {
  return path.split(TOKEN).join('').length;
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
