/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'own-server',
  about: 'servers of this tool, which answer requests for their own names alone: for other add-ons',
};
