import { workerData } from 'node:worker_threads';

import { wakeAtInstants } from './pacing-thread.js';

wakeAtInstants(workerData);
