import { workerData } from 'node:worker_threads';

/** The entry of the threads of a run: it joins the add-ons of the process, then it loads the module of the thread. */
for (const root of workerData.roots) await import(root);
await import(workerData.module);
