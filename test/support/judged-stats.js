/** The stats of 100 iterations with a threshold, as the outcome reads them. */
export const judgedStats = ({ errors = 0, passed = true, status = 'valid', kinds = {} } = {}) => ({
  iterations: { started: 100, completed: 100 - errors, failed: errors, dropped: 0, teardownFailed: 0 },
  requests: { answered: 1 },
  operations: [{ name: 'GET /', count: 1 }],
  loadGenerator: { saturated: false },
  errors: { count: errors, kinds },
  validity: { status, reasons: [] },
  thresholds: [
    {
      ...{ expression: 'p99<1s', figure: 'responseTime.p99', of: {}, operator: '<', bound: 1000, unit: 'ms' },
      ...{ passed, actual: passed ? 1 : 2000 },
    },
  ],
});
