/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'streams',
  about: 'responses that are streams',
};
