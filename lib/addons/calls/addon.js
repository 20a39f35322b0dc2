/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'calls',
  about: 'measured calls of other clients',
};
