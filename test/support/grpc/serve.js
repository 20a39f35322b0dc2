import { servingGrpc } from './server.js';

/** The service in a process of its own, with reflection: it prints its target, and ends with its stdin. */
await servingGrpc(
  async (target) => {
    console.log(target);
    process.stdin.resume();
    await new Promise((resolve) => process.stdin.once('end', resolve));
  },
  { reflects: true },
);
process.exit();
