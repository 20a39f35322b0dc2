// A constant arrival rate for k6, and its times in one line.
import http from 'k6/http';

const { URL: url, RATE: rate, CONNECTIONS: connections, SECONDS: seconds } = __ENV;

export const options = {
  discardResponseBodies: true,
  summaryTrendStats: ['med', 'p(99)'],
  scenarios: {
    arrivals: {
      executor: 'constant-arrival-rate',
      rate: Number(rate),
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: Number(connections),
      maxVUs: Number(connections),
    },
  },
};

export default function () {
  http.get(`${url}/`);
}

export function handleSummary({ metrics }) {
  const { med, 'p(99)': p99 } = metrics.http_req_duration.values;
  return { stdout: `${JSON.stringify({ median: med, p99 })}\n` };
}
