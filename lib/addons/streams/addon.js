import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const loadChecks = () => requireHere('./flow/check.js');

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'streams',
  about: 'responses that are streams',
  sections: [
    {
      name: 'streams',
      suits: ({ operations }) => operations.some(({ stream }) => stream !== undefined),
      text: { before: 'latency', isFailure: true },
      markdown: { after: 'traces' },
      load: () => requireHere('./report/streams.js'),
    },
  ],
  readers: [{ load: () => requireHere('./flow/stream.js').READER }],
  checks: [
    { load: () => loadChecks().events },
    { load: () => loadChecks().firstEvent },
    { load: () => loadChecks().gap },
  ],
};
