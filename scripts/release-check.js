import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { PACKAGE_VERSION } from '../lib/core/ground/package.js';
import { releaseOf, releases } from './changelog.js';

/**
 * Goes through what a release needs and prints what is missing: `node scripts/release-check.js [TAG]`. Nothing is published
 * or written.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Files that a stranger, and a user of the package, looks for. */
const FILES =
  `README.md THIRD_PARTY.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md CODE_OF_CONDUCT.md .editorconfig .nvmrc
  .github/CODEOWNERS .github/dependabot.yml .github/pull_request_template.md .github/workflows/ci.yml
  .github/workflows/release.yml .github/workflows/codeql.yml Dockerfile action.yml`.split(/\s+/);

/**
 * What is checked, in the order in which it is printed: each returns its problems.
 * @type {[name: string, check: (context: { version: string, tag?: string }) => string[]][]}
 */
export const CHECKS = [
  ['files', () => FILES.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${path} is missing`)],
  ['tag', ({ version, tag }) => (tag && tag !== `v${version}` ? [`the tag is ${tag}, the version ${version}`] : [])],
  ['version', versionProblems],
  ['changelog', changelogProblems],
  ['tree', () => printed('git', ['status', '--porcelain'], 'commit these:')],
  ['lint', () => failed('npm', ['run', '--silent', 'lint'])],
  ['types', () => failed('npm', ['run', '--silent', 'types'])],
  // without the test runners, which are in bench/
  ['install', () => failed('npx', ['mocha', '--invert', '--fgrep', 'in a test runner', 'test/tools/package.test.js'])],
  ['package', () => failed('npm', ['publish', '--dry-run', '--tag', 'next', '--loglevel', 'error'])],
];

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { version } = JSON.parse(textOf('package.json'));
  let missing = 0;
  for (const [name, check] of CHECKS) {
    const problems = check({ version, tag: process.argv[2] });
    missing += problems.length;
    console.log(`${problems.length === 0 ? 'ok     ' : 'missing'} ${name}`);
    for (const problem of problems) console.log(problem.replace(/^/gm, '          '));
  }
  console.log(missing === 0 ? `${version} can be released` : `${version} cannot be released yet`);
  if (missing > 0) process.exitCode = 1;
}

/** @type {(context: { version: string }) => string[]} */
export function versionProblems({ version }) {
  const problems = [];
  if (/alpha/.test(version)) problems.push(`package.json: ${version} is an alpha version`);
  const lock = JSON.parse(textOf('package-lock.json'));
  if (lock.version !== version || lock.packages[''].version !== version)
    problems.push(`package-lock.json: the version is ${lock.version}; run npm install`);
  if (version !== PACKAGE_VERSION) problems.push(`lib/core/ground/package.js: the version is ${PACKAGE_VERSION}`);
  return problems;
}

/** @type {(context: { version: string }) => string[]} */
export function changelogProblems({ version }) {
  const [newest] = releases();
  if (newest.version !== releaseOf(version)?.version)
    return [`CHANGELOG.md: the newest section is ${newest.version}, not ${version}`];
  return newest.date === 'unreleased' && newest.version === version
    ? [`CHANGELOG.md: write the date of ${version} in its title`]
    : [];
}

/** The output of a command as a problem, if there is any. */
function printed(command, args, what) {
  const { stdout = '' } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  return stdout.trim() === '' ? [] : [`${what}\n${stdout.trimEnd()}`];
}

/** The end of what a command printed, if it failed. */
function failed(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status === 0) return [];
  const text = error?.message ?? `${stdout}${stderr}`;
  return [`${command} ${args.join(' ')}:\n${text.trimEnd().split('\n').slice(-20).join('\n')}`];
}
