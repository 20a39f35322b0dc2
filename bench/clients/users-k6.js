// Virtual users for the benchmark of memory, in k6: a GET, and a pause.
import { sleep } from 'k6';
import http from 'k6/http';

export default function () {
  http.get(__ENV.URL);
  sleep(Number(__ENV.PAUSE_S));
}
