import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/**
 * Checks the subjects of new commits: `node scripts/check-commits.js [BASE]`, those that HEAD has and BASE does not.
 * Commits that landed cannot be reworded, so none of them is judged.
 */
const WIDTH = 72;

/** What a subject begins with: it says at once what changes for users. */
const VERBS = ['Add', 'Document', 'Fix', 'Move', 'Remove', 'Rename', 'Speed up', 'Test'];

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv[2] ?? 'origin/main');

/** @type {(base: string) => void} */
function main(base) {
  const subjects = newSubjects(base);
  if (subjects === null) return console.log(`no commit to check: ${base} is not in this clone`);
  const problems = subjects.flatMap((subject) => subjectProblems(subject).map((one) => `${subject}\n  ${one}`));
  for (const problem of problems) console.error(problem);
  console.log(`${subjects.length} commits since ${base}, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

/** The subjects since a commit, without merges; null: git or the commit is missing. */
function newSubjects(base) {
  try {
    const args = ['log', '--no-merges', '--format=%s', `${base}..HEAD`, '--'];
    const text = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return text.split('\n').filter((line) => line !== '');
  } catch {
    return null;
  }
}

/** What is wrong with the subject of a commit. @type {(subject: string) => string[]} */
export function subjectProblems(subject) {
  if (/^Revert "/.test(subject)) return [];
  if (/^(fixup|squash|amend)!/.test(subject)) return ['squash it into its commit'];
  const problems = [];
  if (subject.length > WIDTH) problems.push(`it has ${subject.length} characters of at most ${WIDTH}`);
  if (!VERBS.some((verb) => subject.startsWith(`${verb} `))) problems.push(`begin with one of ${VERBS.join(', ')}`);
  if (/[.,;:]$/.test(subject)) problems.push('leave out the punctuation at the end');
  return problems;
}
