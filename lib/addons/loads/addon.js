import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'loads',
  about: 'several loads in one run',
  sections: [
    {
      name: 'loads',
      suits: ({ loads }) => loads !== undefined,
      text: { before: 'figures', isFailure: true, isLong: true },
      markdown: { before: 'figures' },
      load: () => requireHere('./report/loads.js'),
    },
  ],
};
