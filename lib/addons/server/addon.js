import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {() => typeof import('./options/target.js')} */
const loadTarget = () => requireNow('./options/target.js');

/** @type {() => typeof import('./options/profile.js')} */
const loadProfile = () => requireNow('./options/profile.js');

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'server',
  about: 'the server under test: its start, its figures and its profile',
  isExperimental: true,
  needs: ['processes'],
  options: [{ group: 'Server', load: () => loadTarget().TARGET }],
  sections: [
    {
      name: 'server',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'process'),
      text: { before: 'errors', isFailure: true },
      markdown: { before: 'traces' },
      load: () => requireHere('./report/server.js'),
    },
    {
      name: 'target',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'thread'),
      text: { after: 'load', isFull: true, isAttached: true },
      load: () => requireHere('./report/target.js'),
    },
    {
      name: 'profile',
      suits: ({ profiles, baseline }) => Boolean(profiles ?? baseline?.profiles),
      text: { before: 'errors' },
      markdown: { before: 'traces' },
      load: () => requireHere('./report/profile-blocks.js'),
    },
  ],
  thresholdFigures: [
    { name: 'server.cpu', path: 'servers.0.cpuCores', unit: 'cores' },
    { name: 'server.memory', path: 'servers.0.memory.peak', unit: 'B' },
    { name: 'server.memoryGrowth', path: 'servers.0.memory.growth', unit: 'B' },
    { name: 'server.openFiles', path: 'servers.0.openFiles.peak', unit: '' },
    { name: 'server.threads', path: 'servers.0.threads.peak', unit: '' },
    { name: 'server.eventLoopUtilization', path: 'servers.0.eventLoopUtilization', unit: 'ratio' },
    { name: 'server.eventLoopDelay', path: 'servers.0.eventLoopDelay.p99', unit: 'ms' },
    { name: 'server.gc', path: 'servers.0.gcShare', unit: 'ratio' },
    { name: 'server.heap', path: 'servers.0.heap.peak', unit: 'B' },
  ],
  conclusions: [
    { suits: ({ servers }) => servers !== undefined, load: () => requireHere('./measure/server-conclusions.js') },
  ],
  doubts: [{ codes: ['profileIncomplete', 'profiled'], of: () => [] }],
  endReasons: [
    {
      name: 'server',
      about: 'the server of --start ended',
      message: 'stopped, because the server of --start ended',
    },
  ],
  resultKeys: [{ name: 'servers', after: 'loadGenerators' }, { name: 'profiles' }],
  hosts: [
    { suits: (options) => loadTarget().hasServer(options), load: () => import('./run-with-server.js') },
    {
      suits: ({ target }) => target !== undefined,
      plansLate: true,
      // Before the program calls listen() of its servers: the module notes those that still resolve a name.
      begin: () => void requireNow('./local-server.js'),
      load: () => import('./local-server.js'),
    },
  ],
  participants: [
    {
      name: 'profile',
      suits: (options) => loadProfile().isProfiled(options),
      check: (options, files, problems) => loadProfile().checkProfile(options, files, problems),
      writes: (path) => loadProfile().isProfileFile(path),
      load: () => import('./recorders/index.js'),
    },
  ],
  errors: [
    {
      kinds: {
        server: {
          about: 'The server that the run started ended before the run',
          remedy: 'Its last output, which the command prints on stderr',
        },
      },
      codes: {
        E_START_COMMAND: {
          message: 'the server was not started, {how}: {command}',
          cure: 'is the program installed, and does the folder exist? --start runs a line in the shell',
          exit: 'server',
        },
        E_START_ENDED: {
          message: 'the server {how}, before it was ready ({awaited}): {command}',
          cure: '{cure}{output}',
          exit: 'server',
        },
        E_START_TIMEOUT: {
          message: 'the server is not ready after {after}, waited for {awaited}: {command}',
          cure: '{cure}{output}',
          exit: 'server',
        },
        E_START_IN_USE: {
          message: 'something listens at {place} already, so the server was not started',
          cure: 'stop it, or leave out --start to benchmark what runs there',
          exit: 'server',
        },
        E_WATCH: { message: 'cannot watch {target}: {reason}', cure: '{cure}', exit: 'server' },
        E_START_PORT: {
          message: 'no port is free for the server',
          cure: 'write --start-ready with its URL',
          exit: 'server',
        },
        E_SERVER_ENDED: { message: 'the server {how}: {command}', cure: '{cure}', kind: 'server' },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  liveTexts: [
    {
      name: 'server',
      before: 'loads',
      suits: ({ servers = [] }) => servers.some(({ source }) => source === 'process'),
      load: () => requireHere('./report/live.js'),
    },
  ],
  keepers: [{ name: 'server', load: () => requireHere('./server-keeper.js') }],
};
