import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'back-off',
  about: 'requests that wait as their responses ask, and are sent again',
  isExperimental: true,
  options: [{ group: 'Requests', after: 'timeout', load: () => requireNow('./policy.js').OPTIONS }],
  retries: [{ load: () => requireNow('./policy.js').RETRY }],
  middleware: [{ load: () => requireNow('./middleware.js').default }],
  errorHints: [{ of: (...given) => requireHere('./report.js').hintOf(...given) }],
  sections: [
    {
      name: 'back-off',
      suits: ({ requests: { throttled = 0, waitsCut = 0, exhausted = 0 } }) => throttled + waitsCut + exhausted > 0,
      text: { before: 'latency', isFailure: true },
      markdown: { before: 'traces' },
      page: { after: 'addresses', heading: 'Back-off' },
      load: () => requireHere('./report.js'),
    },
  ],
};
