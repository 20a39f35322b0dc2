/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'palette',
  about: 'colors of pages, pictures and the screen: for other add-ons',
};
