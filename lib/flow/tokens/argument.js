/** @import { TokenEntry } from './types.js' */

/** Its uses are replaced before the flow is compiled, see `lib/flow/arguments.js`. @type {TokenEntry} */
export default {
  name: 'ARG',
  about: 'a value of the option args: --arg name=value',
  usage: 'ARG.name',
  compile({ member, argument }, refuse) {
    if (member === undefined || argument !== undefined) refuse('needs a name alone: write #{ARG.name}');
    else refuse('is in the value of an argument, where it is not replaced');
    return '';
  },
};
