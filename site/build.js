import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { problemsIn } from './check.js';
import { installSite } from './install.js';

/** Builds the site into site/dist, and checks every link of it: `npm run site`. The first time it installs VitePress. */
const SITE = import.meta.dirname;
const DIST = join(SITE, 'dist');
const LANDING = 'landing/result';

installSite();
execFileSync(process.execPath, [join(SITE, 'node_modules/vitepress/bin/vitepress.js'), 'build', SITE], {
  stdio: 'inherit',
});
const [saved, page] = [join(SITE, '../docs', `${LANDING}.json`), join(DIST, `${LANDING}.html`)];
// its exit code is that of the result, which fails; without the page, the links to it lead nowhere
spawnSync(process.execPath, [join(SITE, '../bin/bench-rest.js'), 'report', saved, '-o', page], { stdio: 'ignore' });
const problems = problemsIn(DIST);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
