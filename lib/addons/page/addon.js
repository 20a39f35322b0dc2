/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'page',
  about: 'pages with charts',
  needs: ['agents', 'capacity', 'compare', 'export', 'history', 'http2', 'loads', 'log', 'merge', 'server', 'streams'],
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
