/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'http2',
  about: 'HTTP/2',
};
