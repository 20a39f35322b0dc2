import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what the site needs, the first time. */
export function installSite() {
  const site = import.meta.dirname;
  if (existsSync(join(site, 'node_modules/vitepress'))) return;
  const args = ['ci', '--prefix', site, '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { stdio: 'inherit' });
}
