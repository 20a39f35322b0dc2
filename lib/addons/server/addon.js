/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'server',
  about: 'the server under test: its start, its figures and its profile',
};
