/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'bounds',
  about: 'what a run that others ask for may use at most: for other add-ons',
  bounds: [{ load: () => import('./refuse-beyond.js') }],
};
