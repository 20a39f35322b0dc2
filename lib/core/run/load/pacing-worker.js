import { readlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';

import { wakeAtInstants } from './pacing-thread.js';

endSleepsExactly();
wakeAtInstants(workerData);

/** Linux lets a thread sleep 0.05 ms longer, so that several wake at once, unless it asks for less. */
function endSleepsExactly() {
  try {
    writeFileSync(`/proc/${basename(readlinkSync('/proc/thread-self'))}/timerslack_ns`, '1');
  } catch {
    // Other systems, and sandboxes: alarms are set earlier.
  }
}
