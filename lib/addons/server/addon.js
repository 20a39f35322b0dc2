import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'server',
  about: 'the server under test: its start, its figures and its profile',
  options: [{ group: 'Target', load: () => requireHere('./options/target.js').TARGET }],
  sections: [
    {
      name: 'server',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'process'),
      text: { before: 'errors', isFailure: true },
      markdown: { before: 'traces' },
      load: () => requireHere('./report/server.js'),
    },
    {
      name: 'profile',
      suits: ({ profiles, baseline }) => Boolean(profiles ?? baseline?.profiles),
      text: { before: 'errors' },
      markdown: { before: 'traces' },
      load: () => requireHere('./report/profile-blocks.js'),
    },
  ],
  conclusions: [
    { suits: ({ servers }) => servers !== undefined, load: () => requireHere('./measure/server-conclusions.js') },
  ],
  resultKeys: [
    {
      name: 'servers',
      after: 'loadGenerators',
      schema: () => requireHere('./measure/server-schema.js').serversSchema(),
    },
    { name: 'profiles', schema: () => requireHere('./profile/schema.js').profilesSchema() },
  ],
};
