import http from 'k6/http';

/** One request: for what a start of k6 costs. */
export const options = { vus: 1, iterations: 1 };

export default function () {
  http.get(__ENV.URL);
}
