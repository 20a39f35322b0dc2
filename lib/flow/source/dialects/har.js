import { recordedFlow } from './har/recorded-flow.js';

/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
  name: 'har',
  about: 'a HAR 1.2 recording of a browser or proxy: its requests to one origin become the operations of main',
  isRecording: true,

  recognizes({ log }) {
    return typeof log === 'object' && log !== null && (Array.isArray(log.entries) || log.creator !== undefined);
  },

  toFlow: recordedFlow,
};
