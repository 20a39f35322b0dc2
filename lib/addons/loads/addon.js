/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'loads',
  about: 'several loads in one run',
};
