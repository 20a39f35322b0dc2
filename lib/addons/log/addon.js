/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'log',
  about: 'a log of requests',
};
