import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'log',
  about: 'a log of requests',
  isExperimental: true,
  needs: ['processes'],
  options: [{ group: 'Results', after: 'expectedInterval', load: () => requireNow('./options.js').LOG }],
  sections: [
    {
      name: 'log',
      suits: ({ log }) => log !== undefined,
      text: { after: 'outcome', isFailure: true, isAttached: true },
      markdown: { after: 'section' },
      page: { after: 'validity', heading: 'Log of requests' },
      load: () => requireHere('./report/files.js'),
    },
  ],
  resultKeys: [{ name: 'log', after: 'servers' }],
  errors: [
    {
      codes: {
        E_LOG: {
          message: 'the log of requests cannot be written: {path}: {reason}',
          cure: '{cure}',
          exit: 'usage',
        },
      },
    },
  ],
  reasons: [{ reason: 'notWritten', isOf: ({ log }) => log?.files.some(({ error }) => error !== undefined) ?? false }],
  requestLogs: [
    {
      suits: ({ log }) => log !== undefined,
      load: async () => (await import('./request-log.js')).RequestLog,
    },
  ],
};
