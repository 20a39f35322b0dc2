import { programPath } from './processes.js';

/**
 * @returns {Promise<void>}
 * @throws {Error} something that benchmarks of agents need is missing: what, and how to install it
 */
export async function checkAgentsNeeds() {
  const missing = [];
  if (!programPath('redis-server')) missing.push('redis-server is not installed (apt-get install redis-server)');
  for (const name of ['bullmq', 'ioredis']) {
    const isThere = await import(name).then(
      () => true,
      () => false,
    );
    if (!isThere) missing.push(`${name} is not installed (npm install ${name})`);
  }
  if (process.platform !== 'linux') missing.push('CPU times of processes are read from /proc (Linux)');
  if (missing.length > 0) throw new Error(`not measured: ${missing.join('; ')}`);
}
