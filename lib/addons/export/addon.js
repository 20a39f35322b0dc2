import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {() => typeof import('./options.js')} */
const loadOptions = () => requireNow('./options.js');

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'export',
  about: 'metrics for Prometheus and OpenTelemetry',
  isExperimental: true,
  needs: ['own-server'],
  options: [{ group: 'Results', before: 'trace', load: () => loadOptions().EXPORTERS }],
  sections: [
    {
      name: 'exports',
      suits: ({ exports: all }) => all !== undefined,
      text: { before: 'files', isFailure: true, isAttached: true },
      markdown: {},
      page: { after: 'log', heading: 'Exports of metrics' },
      load: () => requireHere('./report/exports.js'),
    },
  ],
  resultKeys: [{ name: 'exports', after: 'log' }],
  participants: [
    {
      name: 'export',
      suits: (options) => loadOptions().exportersOf(options).length > 0,
      load: () => import('./index.js'),
    },
  ],
  errors: [
    {
      codes: {
        E_EXPORTER: { message: '{option}: {reason}', cure: 'use another address or port', exit: 'usage' },
      },
    },
  ],
};
