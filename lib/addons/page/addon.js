/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'page',
  formats: [
    {
      name: 'html',
      about: 'a self-contained page with charts',
      extension: '.html',
      isJson: true,
      load: () => import('./index.js'),
    },
  ],
};
