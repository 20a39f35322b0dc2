import { hintsAt, offered } from '../../../ground/addons.js';

/** @import { Dialect } from '../types.js' */

/** @type {Dialect} */
const savedResult = {
  name: 'saved-result',
  about: 'a result that bench-rest saved; refused',

  recognizes: ({ schemaVersion, type }) => Number.isInteger(schemaVersion) && typeof type === 'string',

  toFlow({ run }, problems) {
    const source = run?.flow?.source;
    const from = typeof source === 'string' ? `, which was ${source}` : '';
    problems.add(
      '',
      `this is a saved result of bench-rest, not a flow: ${[...hintsAt('result'), 'pass the flow of its run'].join(', or ')}${from}`,
    );
    return null;
  },
};

/** The documents that are recognized in JSON and YAML; the first that recognizes one reads it. @type {Dialect[]} */
export const DIALECTS = [savedResult, ...offered('dialects')];
