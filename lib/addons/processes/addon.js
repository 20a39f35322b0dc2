/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'processes',
  about: 'processes of this machine, and folders that belong to one of them: for other add-ons',
};
