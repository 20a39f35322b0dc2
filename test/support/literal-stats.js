/** The smallest summary that reports can print, as a literal. */
export const literalStats = () => ({
  totalElapsed: 1234.5678,
  main: { completed: { min: 0.5, max: null, count: 10 } },
  iterations: { started: 10, completed: 6, failed: 2, cancelled: 2, teardownFailed: 1 },
  operations: [
    {
      name: 'GET /items',
      phase: 'main',
      count: 8,
      errors: 2,
      statusCodes: { 200: 6, 503: 2 },
      times: { serviceTime: { mean: 1.81, median: 1.25, p90: 3.1, p95: 5, p99: 10, max: 12.34 } },
    },
    {
      name: 'GET /bye',
      phase: 'after',
      count: 1,
      errors: 1,
      statusCodes: {},
      times: { serviceTime: { mean: null, median: null, p90: null, p95: null, p99: null, max: null } },
    },
  ],
  validity: { status: 'suspect', reasons: [{ code: 'test', message: 'errors: 3 in 10 iterations' }] },
  metrics: {},
  errors: {
    count: 3,
    kinds: { status: 2, reset: 1 },
    details: [
      {
        message: 'error statusCode: 503',
        phase: 'main',
        kind: 'status',
        code: 'E_STATUS',
        path: 'flow.main[0]',
        operation: 'GET /items',
        count: 2,
        firstIndex: 4,
      },
      {
        message: 'connection closed by the server before a response',
        phase: 'after',
        kind: 'reset',
        code: 'E_RESET_BEFORE_HEAD',
        path: 'flow.after[0]',
        operation: 'GET /bye',
        count: 1,
        firstIndex: null,
      },
    ],
  },
});
