/** @import { TokenEntry } from './types.js' */

/** @type {TokenEntry} */
export default {
  name: 'INDEX',
  about: 'the number of the iteration, from 0',
  needsIndex: true,
  compile({ member, argument }, refuse) {
    if (member !== undefined || argument !== undefined) refuse('takes no argument');
    return (scope) => String(scope.index);
  },
};
