import { baseUrlOf } from './base-url.js';

/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
  name: 'artillery',
  about: 'a script of Artillery; not imported yet, refused',

  recognizes({ config, scenarios }) {
    return typeof config === 'object' && config !== null && Array.isArray(scenarios);
  },

  toFlow({ config }, problems) {
    const base = baseUrlOf(config.target);
    const target = base ? `baseUrl: ${JSON.stringify(base.baseUrl)}, ` : '';
    const paths = base?.hasPath ? '; begin their URLs without / so that the path of baseUrl is kept' : '';
    problems.add(
      'scenarios',
      `this is an Artillery script, not a flow: write { ${target}main: [...] } with its requests as operations${paths}`,
    );
    return null;
  },
};
