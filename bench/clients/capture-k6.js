// The workload `capture` for k6: POST, then GET of the id in its response.
import { check } from 'k6';
import http from 'k6/http';

const { URL: url, CONNECTIONS: connections, SECONDS: seconds } = __ENV;
const params = { headers: { 'content-type': 'application/json' } };

export const options = { vus: Number(connections), duration: `${seconds}s` };

export default function () {
  const id = http.post(`${url}/items`, JSON.stringify({ name: 'item' }), params).json('id');
  check(http.get(`${url}/items/${id}`), { 'status is 200': ({ status }) => status === 200 });
}

/** One line for the benchmark in place of the report. */
export function handleSummary({ metrics, state }) {
  const errors = metrics.http_req_failed.values.passes;
  const requests = metrics.http_reqs.values.count - errors;
  return { stdout: `${JSON.stringify({ requests, seconds: state.testRunDurationMs / 1000, errors })}\n` };
}
