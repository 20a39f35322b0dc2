/** @import { Scope } from '../types.js' */

export default {
  name: 'INDEX',
  about: 'the number of the iteration, from 0',
  /** @type {() => (scope: Scope) => string} */
  compile: () => (scope) => String(scope.index),
};
