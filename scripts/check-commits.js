import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/**
 * Checks the subjects of new commits: `node scripts/check-commits.js [BASE]`, those that HEAD has and BASE does not.
 * Commits that landed cannot be reworded, so none of them is judged.
 */
const WIDTH = 72;

/** Verbs that are imperative although they end as other forms do. */
const IMPERATIVE = /^(bring|embed|exceed|feed|need|proceed|ring|seed|shed|speed|spring|string|swing)$/i;
const SINGULAR = /^\w+(ss|us|is|as)$/i;

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
  const verb = /^([A-Z][a-z]+(-[a-z]+)*) \S/.exec(subject)?.[1];
  if (!verb) problems.push('begin with a verb and a capital letter: Add, Fix, Remove');
  else if (!isImperative(verb)) problems.push(`write the imperative, such as Add instead of Added: ${verb}`);
  if (/[.,;:]$/.test(subject)) problems.push('leave out the punctuation at the end');
  return problems;
}

/** Adds, added and adding are no imperatives. @type {(verb: string) => boolean} */
function isImperative(verb) {
  if (IMPERATIVE.test(verb) || SINGULAR.test(verb)) return true;
  return !/(ed|ing|s)$/.test(verb);
}
