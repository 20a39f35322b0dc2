import { HIGHEST_PORT } from '../../core/ground/units.js';

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'page',
  about: 'pages with charts',
  hints: [
    { at: 'example', text: 'bench-rest -t 30s -o page.html ./flow.js                     a test with an HTML report' },
  ],
  isExperimental: true,
  needs: ['capacity', 'compare', 'formats', 'history', 'own-server', 'palette', 'preview', 'server'],
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

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  companions: [
    {
      name: 'dashboard',
      group: 'Results',
      flags: () => [
        {
          flag: '--dashboard [port]',
          inHelp: 'common',
          about: 'serve the HTML report live on 127.0.0.1 during the run (default: any free port)',
          read: Number,
          check: (v) => Number.isInteger(v) && v >= 0 && v <= HIGHEST_PORT,
          expected: `a port from 0 to ${HIGHEST_PORT}`,
          implied: { text: '0', values: /^\d+$/, expected: 'a port' },
        },
      ],
      read: ({ dashboard = null }) => dashboard,
      load: () => import('./dashboard.js'),
    },
  ],
};
