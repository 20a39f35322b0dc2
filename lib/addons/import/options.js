import { flag } from '../../core/run/options/row.js';

/** @import { RunOption } from '../../core/run/options/types.js' */

/** Options of recordings: which parts of them are sent. @type {RunOption[]} */
export const HAR_OPTIONS = [
  {
    name: 'harCookies',
    flag: '--har-cookies',
    ...flag,
    default: false,
    about: 'send the cookies of a HAR recording, instead of those that the server sets',
  },
  {
    name: 'harTiming',
    flag: '--har-timing',
    ...flag,
    default: false,
    about: 'pause between the requests of a HAR recording as long as the recording did',
  },
];
