import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PROGRAM = fileURLToPath(new URL('../../bin/bench-rest.js', import.meta.url));

/** What another program says, and how it ends. */
export async function saidBy(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  const [code] = await once(child, 'close');
  return { code, ...said };
}

/**
 * Runs the command. `act(child, heard)` may do something while it runs: `await heard(/text/)` waits until stderr or
 * stdout say so, and gives the match.
 */
export async function command(args, { cwd = ROOT, env = {}, stdio = ['ignore', 'pipe', 'pipe'], act } = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    stdio,
    env: { ...process.env, NO_COLOR: '', ...env },
  });
  const said = { stdout: '', stderr: '' };
  let more = () => {};
  for (const name of ['stdout', 'stderr']) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      said[name] += text;
      more();
    });
  }
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, ...said })));
  const heard = async (pattern) => {
    while (!pattern.test(said.stderr) && !pattern.test(said.stdout)) await new Promise((resolve) => (more = resolve));
    return pattern.exec(said.stderr) ?? pattern.exec(said.stdout);
  };
  if (act) await Promise.race([act(child, heard), exited]);
  return exited;
}
