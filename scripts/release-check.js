import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { parse } from 'yaml';

import { PACKAGE_VERSION, REPOSITORY } from '../lib/core/ground/package.js';
import { releaseOf, releases } from './changelog.js';
import { distTagOf } from './release-notes.js';

/**
 * Walks through a release and prints what is missing: `npm run release:check -- 2.0.0`. Nothing is published; the package,
 * the site and the image are built. The version may be a tag such as v2.0.0; without one, it is the final version that
 * package.json is on the way to.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Files that a stranger, and a user of the package, looks for. */
const FILES =
  `README.md THIRD_PARTY.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md CODE_OF_CONDUCT.md .editorconfig .nvmrc
  .github/CODEOWNERS .github/dependabot.yml .github/pull_request_template.md .github/workflows/ci.yml
  .github/workflows/release.yml .github/workflows/codeql.yml Dockerfile action.yml`.split(/\s+/);

/** What users read. */
const DOCUMENTS = ['*.md', 'docs', 'deploy', 'examples', 'man', 'action.yml', 'action', 'site/.vitepress'];
/** The tag of npm for pre-releases. */
const NEXT = 'bench-rest@next';
/** Files whose version is that which was measured. */
const MEASURED = ['docs/numbers.json'];

/** @typedef {string[] | { skipped: string }} Outcome problems, or why there was nothing to check */

/**
 * What is checked, in the order in which it is printed.
 * @type {[name: string, check: (context: { version: string }) => Outcome][]}
 */
export const CHECKS = [
  ['files', () => FILES.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${path} is missing`)],
  ['version', versionProblems],
  ['changelog', changelogProblems],
  ['documents', documentProblems],
  ['provenance', () => provenanceProblems(textOf('.github/workflows/release.yml'))],
  ['tree', () => printed('git', ['status', '--porcelain'], 'commit these:')],
  ['lint', () => failed('npm', ['run', '--silent', 'lint'])],
  ['types', () => failed('npm', ['run', '--silent', 'types'])],
  // without the test runners, which are in bench/
  ['install', () => failed('npx', ['mocha', '--invert', '--fgrep', 'in a test runner', 'test/tools/package.test.js'])],
  ['package', packageProblems],
  ['site', () => failed('npm', ['run', '--silent', 'site'])],
  ['image', imageProblems],
];

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const version = versionOf(process.argv[2] ?? PACKAGE_VERSION.split('-')[0]);
  let missing = 0;
  for (const [name, check] of CHECKS) {
    const outcome = check({ version });
    if ('skipped' in outcome) {
      console.log(`skipped ${name}: ${outcome.skipped}`);
      continue;
    }
    missing += outcome.length;
    console.log(`${outcome.length === 0 ? 'ok     ' : 'missing'} ${name}`);
    for (const problem of outcome) console.log(problem.replace(/^/gm, '          '));
  }
  console.log(
    missing === 0
      ? `${version} can be released, as ${distTagOf(version)} of npm`
      : `${version} cannot be released yet; CONTRIBUTING.md lists the steps`,
  );
  if (missing > 0) process.exitCode = 1;
}

/** @type {(text: string) => string} */
function versionOf(text) {
  const [, version] = /^v?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(text) ?? [];
  if (version) return version;
  console.error(`${text} is not a version, such as 2.0.0 or v2.0.0`);
  process.exit(2);
}

/** @type {(context: { version: string }) => string[]} */
export function versionProblems({ version }) {
  const lock = JSON.parse(textOf('package-lock.json'));
  const found = [
    ['package.json', JSON.parse(textOf('package.json')).version],
    ['package-lock.json', lock.version],
    ['package-lock.json', lock.packages[''].version],
    ['lib/core/ground/package.js', PACKAGE_VERSION],
  ];
  const others = new Map(found.filter(([, is]) => is !== version));
  const problems = Array.from(others, ([path, is]) => `${path}: the version is ${is}`);
  if (problems.length > 0) problems.push(`run npm version ${version} --no-git-tag-version`);
  if (/alpha/.test(version)) problems.push(`${version} is an alpha version`);
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

/** What no document of a version names. @type {(context: { version: string }) => string[]} */
function documentProblems({ version }) {
  const { stdout } = spawnSync('git', ['ls-files', '-z', ...DOCUMENTS], { cwd: ROOT, encoding: 'utf8' });
  const paths = stdout.split('\0').filter((path) => /\.(md|svg|json|ya?ml|js|vue|1)$/.test(path));
  return paths.flatMap((path) => (MEASURED.includes(path) ? [] : unreleasedNames(path, textOf(path), version)));
}

/**
 * A problem for each name in a document that only a pre-release has: the tag `next` of npm, the version of a pre-release.
 * @type {(path: string, text: string, version: string) => string[]}
 */
export function unreleasedNames(path, text, version) {
  const [final] = version.split('-');
  const recorded = path.startsWith('docs/landing/') && 'run npm run site:record';
  const tags = text.includes(NEXT) ? [`${path}: ${NEXT}; ${recorded || 'write bench-rest'}`] : [];
  if (version !== final) return tags;
  const preRelease = new RegExp(`\\b${final.replaceAll('.', '\\.')}-(?:alpha|beta|rc)(?:\\.\\d+)?`, 'gi');
  const names = new Set(Array.from(text.matchAll(preRelease), ([name]) => name));
  const cure = recorded || `run npm version ${version} --no-git-tag-version`;
  return [...tags, ...Array.from(names, (name) => `${path}: ${name}; ${cure}`)];
}

/** What the workflow needs to publish with a proof of where it comes from. @type {(workflow: string) => string[]} */
export function provenanceProblems(workflow) {
  const { npm, image } = parse(workflow).jobs;
  const runs = ({ steps }) => steps.map(({ run = '' }) => run).join('\n');
  const { repository } = JSON.parse(textOf('package.json'));
  const needs = {
    'release.yml: npm publish needs --provenance': /npm publish .*--provenance\b/.test(runs(npm)),
    'release.yml: npm publish needs --tag "$DIST_TAG"': /npm publish .*--tag "\$DIST_TAG"/.test(runs(npm)),
    'release.yml: the job npm needs the permission id-token: write': npm.permissions['id-token'] === 'write',
    'release.yml: the jobs npm and image need the environment release': [npm, image].every(
      ({ environment }) => environment === 'release',
    ),
    'release.yml: the image needs --provenance=mode=max and --sbom=true': [
      '--provenance=mode=max',
      '--sbom=true',
    ].every((flag) => runs(image).includes(flag)),
    [`package.json: the repository must be ${REPOSITORY}`]: repository.url === `git+${REPOSITORY}.git`,
  };
  return Object.entries(needs).flatMap(([problem, isMet]) => (isMet ? [] : [problem]));
}

/** What npm would say of the folder that the workflow publishes. @type {(context: { version: string }) => string[]} */
function packageProblems({ version }) {
  const problems = failed('npm', ['run', '--silent', 'package']);
  if (problems.length > 0) return problems;
  return failed('npm', ['publish', './package', '--dry-run', '--tag', distTagOf(version), '--loglevel=error']);
}

/** @returns {Outcome} */
function imageProblems() {
  const { status } = spawnSync('docker', ['info'], { stdio: 'ignore' });
  if (status !== 0) return { skipped: 'no docker runs here; CI builds the image' };
  const problems = failed('docker', ['build', '--quiet', '--tag', 'bench-rest:check', ROOT]);
  if (problems.length > 0) return problems;
  return failed('docker', ['run', '--rm', 'bench-rest:check', '--serve', '-n', '100', '-c', '5', '/items']);
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
