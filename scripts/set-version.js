import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { PACKAGE_VERSION } from '../lib/core/ground/package.js';

/**
 * Writes the version of package.json wherever else it is shown. `npm version 2.0.0 --no-git-tag-version` runs this
 * after it has changed package.json and the lock file.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Files and folders that show the version. `npm run generate` writes what follows from them. */
const SHOWN = ['lib/core/ground/package.js', 'deploy', 'docs/recipes', 'docs/reference/result.example.json'];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const run = (file, args) => execFileSync(file, args, { cwd: ROOT, encoding: 'utf8' });
for (const path of run('git', ['ls-files', '-z', ...SHOWN])
  .split('\0')
  .filter(Boolean)) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const changed = text.replaceAll(PACKAGE_VERSION, version);
  if (changed === text) continue;
  writeFileSync(join(ROOT, path), changed);
  console.log(`wrote ${version} into ${path}`);
}
run('npm', ['run', '--silent', 'generate']);
