import { mkdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: who can write to it can change its modules, too. */
const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Keeps what V8 makes of the modules that this thread loads from now on, for the next start: a seventh of its CPU. Only
 * in the folder of a package that belongs to the user, on Node 22 and newer. Threads, which load the code of the user,
 * keep nothing.
 */
export function keepCompiled() {
  const { enableCompileCache, getCompileCacheDir } = /** @type {any} */ (module);
  // NODE_COMPILE_CACHE is another folder
  if (!enableCompileCache || getCompileCacheDir()) return;
  const folder = join(PACKAGE, '.cache');
  try {
    if (process.getuid && process.getuid() !== statSync(PACKAGE).uid) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // a file system that cannot be written: each start compiles
    return;
  }
  enableCompileCache(folder);
}
