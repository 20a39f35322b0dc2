import { createRequire } from 'node:module';

import { DIALECTS, harOptions } from './dialects/index.js';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** Completion and suggestions do not offer these extensions: a .txt beside a flow is often its output. */
const TARGETS = ['.txt', '.targets', '.jsonl'];

/** @type {(name: string) => { load: () => Promise<{ read: import('../../core/flow/source/types.js').FlowReader }> }} */
const textFormat = (name) => ({
  load: async () => ({ read: (await import('./formats/imported.js')).readerOf(name) }),
});

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'import',
  about: 'flows from documents of other tools',
  isExperimental: true,
  needs: ['graphql'],
  options: [
    {
      group: 'Requests',
      before: 'maxHeaderFields',
      load: () => harOptions(requireNow('../../core/run/options/row.js').flag),
    },
  ],
  flowFormats: [
    {
      name: 'har',
      about: 'a HAR 1.2 recording of a browser or proxy; never executed',
      extensions: ['.har'],
      load: () => import('./formats/har.js'),
    },
    {
      name: 'curl',
      about: 'a file with curl commands, each an operation; never executed',
      extensions: ['.sh', '.curl'],
      ...textFormat('curl'),
    },
    {
      name: 'http-file',
      about: 'an HTTP file of the VS Code REST Client or of JetBrains; its scripts are never executed',
      extensions: ['.http', '.rest'],
      ...textFormat('http-file'),
    },
    {
      name: 'vegeta',
      about: `targets of vegeta, or URLs, one per line (${TARGETS.join(', ')}); each iteration sends the next one`,
      extensions: [],
      accepts: ({ path, extension = '' }) => path !== undefined && TARGETS.includes(extension),
      ...textFormat('vegeta'),
    },
  ],
  flowTexts: [
    {
      inArgument: ['curl'],
      explain: (...given) => requireHere('./k6/explain.js').explain(...given),
      load: () => import('./formats/imported.js'),
    },
  ],
  dialects: DIALECTS,
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  commands: [
    {
      name: 'import',
      about: 'write a flow from curl commands, and from documents of other tools',
      topic: 'flows',
      load: () => import('./command.js'),
    },
  ],
};
