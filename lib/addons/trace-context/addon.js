import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'trace-context',
  about: 'traces that requests name',
  isExperimental: true,
  options: [{ group: 'Requests', after: 'allowTargets', load: () => requireNow('./options.js').TRACES }],
  senders: [
    {
      suits: ({ traceContext, traceLink }) => traceContext !== false && (traceContext ?? traceLink) !== undefined,
      load: () => requireHere('./trace-context.js').senderOf,
    },
  ],
};
