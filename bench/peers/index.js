import ours from './ours.js';
import oursPlain from './ours-plain.js';
import oursOne from './ours-one.js';
import undici from './undici.js';
import autocannon from './autocannon.js';
import benchRest1 from './bench-rest-1.js';
import h2load from './h2load.js';
import k6 from './k6.js';
import loadtest from './loadtest.js';
import nodeNet from './node-net.js';
import wrk from './wrk.js';

export const peers = [ours, oursPlain, oursOne, undici, autocannon, h2load, k6, loadtest, benchRest1, nodeNet, wrk];
