/** A report of a worker in which nothing has happened. */
export const workerReport = () => ({
  type: 'report',
  state: { counters: { iterations: {} } },
  traffic: {},
  addresses: [],
  thread: {},
  inFlight: 0,
  running: [],
  log: null,
  errors: [],
});
