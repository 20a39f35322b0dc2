import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'loads',
  about: 'several loads in one run',
  isExperimental: true,
  loads: [{ load: () => requireHere('./index.js') }],
  sections: [
    {
      name: 'loads',
      suits: ({ loads }) => loads !== undefined,
      text: { before: 'figures', isFailure: true, isLong: true },
      markdown: { before: 'figures' },
      page: { before: 'by-load', heading: 'Loads' },
      load: () => requireHere('./report/loads.js'),
    },
  ],
  resultKeys: [{ name: 'loads', before: 'operations' }],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  liveTexts: [
    { name: 'loads', suits: ({ loads }) => loads !== undefined, load: () => requireHere('./report/live.js') },
  ],
  separators: [{ word: '+', load: () => requireHere('./further-loads.js') }],
};
