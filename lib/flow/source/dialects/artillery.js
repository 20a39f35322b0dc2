/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
  name: 'artillery',
  about: 'a script of Artillery; not imported yet, refused',

  recognizes({ config, scenarios }) {
    return typeof config === 'object' && config !== null && Array.isArray(scenarios);
  },

  toFlow({ config }, problems) {
    const target = typeof config.target === 'string' ? `baseUrl: ${JSON.stringify(config.target)}, ` : '';
    problems.add(
      'scenarios',
      `this is an Artillery script, not a flow: write { ${target}main: [...] } with its requests as operations`,
    );
    return null;
  },
};
