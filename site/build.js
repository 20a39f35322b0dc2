import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { problemsIn } from './check.js';

/** Builds the site into site/dist, and checks every link of it: `npm run site`. The first time it installs VitePress. */
const SITE = import.meta.dirname;
const DIST = join(SITE, 'dist');
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];

if (!existsSync(join(SITE, 'node_modules/vitepress')))
  execFileSync('npm', ['ci', '--prefix', SITE, ...quiet], { stdio: 'inherit' });
execFileSync(process.execPath, [join(SITE, 'node_modules/vitepress/bin/vitepress.js'), 'build', SITE], {
  stdio: 'inherit',
});
const problems = problemsIn(DIST);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
