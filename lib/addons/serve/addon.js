import { targetFlags } from './flags.js';

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'serve',
  about: 'the embedded target',
  hints: [
    { at: 'no flow', text: 'bench-rest --serve -n 10k' },
    { at: 'path', text: '--serve' },
    {
      at: 'example',
      text: 'bench-rest --serve -n 10k                                   try it: a run against the embedded target',
    },
    {
      at: 'example',
      text: 'bench-rest serve --port 8000                                only the embedded REST target',
    },
  ],
  isExperimental: true,
  needs: ['own-server'],
  errors: [
    {
      codes: {
        E_TARGET: { message: '{problems}', exit: 'usage' },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  companions: [
    {
      name: 'serve',
      group: 'Server',
      isTarget: true,
      refusedElsewhere: 'starts a target that agents on other machines cannot reach',
      flags: () => [
        {
          flag: '--serve',
          inHelp: 'common',
          about: 'start the embedded target for this run, as base URL of relative URLs',
        },
        ...targetFlags('any free port', 'serve-'),
      ],
      read({ serve, baseUrl, seed, ...options }, { runOptions, flows, refuse }) {
        const { servePort: port, serveDelay: delay, serveError: error, servePercent: percent } = options;
        const own = { port, delay, error, percent };
        const [unused] = Object.entries(own).find(([, value]) => value !== undefined) ?? [];
        if (serve && runOptions.start !== undefined) refuse('use either --serve or --start, not both');
        if (serve && baseUrl !== undefined) refuse('use either --serve or --base-url, not both');
        const url = flows.find((text) => /^https?:/i.test(text));
        if (serve && url) refuse(`--serve starts a target of its own, and ${url} is elsewhere: use a path such as /`);
        if (!serve && unused) refuse(`--serve-${unused} is an option of --serve; add --serve`);
        return serve ? { ...own, seed: typeof seed === 'number' ? seed : undefined } : null;
      },
      load: () => import('./thread.js'),
    },
  ],
  commands: [
    {
      name: 'serve',
      about: 'start the embedded REST target and serve until Ctrl-C',
      topic: 'flows',
      load: () => import('./command.js'),
    },
  ],
};
