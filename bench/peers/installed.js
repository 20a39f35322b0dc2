import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Why a package of bench/node_modules cannot be used, or undefined. */
export function notInstalled(name) {
  return existsSync(pathInBench(`node_modules/${name}`))
    ? undefined
    : `bench/node_modules/${name} is not there, run npm install --prefix bench`;
}

export function pathInBench(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
