import ours from './ours.js';
import undici from './undici.js';
import autocannon from './autocannon.js';
import benchRest1 from './bench-rest-1.js';
import wrk from './wrk.js';

export const peers = [ours, undici, autocannon, benchRest1, wrk];
