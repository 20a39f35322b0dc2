const ONE = { limit: 1, iterations: 1 };
const words = (text) => text.trim().split(/\s+/);

const OF_OPERATIONS = words(`
  action api args assert cache category check comment config context count ctx date debug delay description disabled
  done enabled endpoint entity env expected expectedStatus file filter fixture fn host id index info input kind label
  limit log loop meta metric mode model module next note operation order output page params payload percent port
  priority query request resource response result retries schema search service session settings skip state status
  statusCode step tag tags template test timer title token type validate variables verbose verify version wait`);

const OF_FLOWS = words(`
  author base comment common concurrency config defaults description env environment filename fixtures flow helpers
  host hostname id init iterations limit name nfr onEnd output params password port prealloc progress results server
  settings stats tags target title token url urls user username users utils version`);

const OF_OPTIONS = words(`
  action apiKey callback color count createdAt debug description done env file flow host id label logger max min mode
  name nfr onEnd path port report reporter results script server service silent site stats step tags token total
  type url verbose version _id __v`);

const values = ['text', { a: 1 }, 7];

/** Properties of the user's own, by the names that people write. */
export const OWN_NAMES = [
  ...OF_OPERATIONS.map((name, i) => ({
    name: `${name} of its own in an operation, which a hook reads`,
    flow: (url) => ({
      get: `${url}/a`,
      [name]: values[i % 3],
      beforeHooks: [(all) => ((all.requestOptions.headers.x = JSON.stringify(all.requestOptions[name])), all)],
    }),
  })),
  ...OF_FLOWS.map((name, i) => ({
    name: `${name} of its own in a flow`,
    flow: (url) => ({ [name]: values[i % 3], main: [{ get: `${url}/a` }] }),
  })),
  ...OF_OPTIONS.map((name, i) => ({
    name: `${name} of its own in options`,
    flow: (url) => `${url}/a`,
    options: () => ({ ...ONE, [name]: values[i % 3] }),
  })),
];
