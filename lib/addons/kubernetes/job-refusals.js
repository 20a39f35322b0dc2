import { isCode } from '../../core/flow/source/formats/index.js';
import { createProblems } from '../../core/ground/problems.js';
import { RUN_OPTIONS } from '../../core/run/options/index.js';
import { longFlag } from '../../core/run/options/row.js';
import { refusalOf } from '../agents/options/refused.js';
import { hasPrivateKey, refuseSecrets, secretIn } from '../agents/secrets.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { JobRequest } from './requests.js' */

/** Completes "a password …". */
const READABLE =
  'would be readable in the job: write #{env.NAME}, keep the value in a secret of Kubernetes, and use --secret';
const LONGEST_LABEL = 63;
/** RFC 1123, as Kubernetes demands of the names of volume claims and secrets */
const NAME = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;
/** An image: registry, path, tag and digest. */
const IMAGE = /^[\w][\w./:@-]*$/;

/** Refuses what pods cannot have. @type {(runOptions: Record<string, any>, claim: JobRequest['claim']) => void} */
export function refuseOptions(runOptions, claim) {
  if (runOptions.startAt !== undefined && claim !== false)
    throw usageError('--start-at: the pods agree on a start themselves: leave it out, or add --no-claim');
  for (const row of RUN_OPTIONS) {
    const isSet = ![undefined, null, false].includes(runOptions[row.name]);
    const reason = refusalOf(row, 'kubernetes');
    if (isSet && reason) throw usageError(`${longFlag(row)} ${reason}`);
  }
}

/** Refuses secrets in the flags of the command. @type {(runOptions: Record<string, any>) => void} */
export function refuseSecretFlags(runOptions) {
  for (const row of RUN_OPTIONS) {
    const value = runOptions[row.name];
    const secret = value === undefined ? null : secretIn(row, value);
    if (secret)
      throw usageError(
        `${longFlag(row)}: ${secret} would be readable in the job: keep it in a secret of Kubernetes, and use --secret`,
      );
  }
}

/**
 * Refuses secrets in the flow and in the files of the pods: everyone who can read the namespace can read a ConfigMap.
 * What code of the flow has from elsewhere, such as the environment, is not in these files.
 * @param {any} flow
 * @param {string | null} name of the file of the flow; null: it is a URL
 * @param {object} files
 * @param {Record<string, Buffer>} files.contents
 * @param {string[]} files.secret names of those that the flow reads as keys
 */
export function refuseSecretsIn(flow, name, { contents, secret: secretFiles }) {
  const problems = createProblems('E_NOT_SENT');
  const code = name !== null && isCode(name) ? contents[name].toString() : null;
  refuseSecrets(flow, problems, { consequence: READABLE, code });
  for (const row of RUN_OPTIONS) {
    const value = writtenIn(code, flow?.runOptions?.[row.name]);
    const secret = value === undefined || value === null ? null : secretIn(row, value);
    const path = `flow.runOptions.${row.name}`;
    if (secret && !problems.list.some((one) => one.path.startsWith(path))) problems.add(path, `${secret} ${READABLE}`);
  }
  for (const [file, content] of Object.entries(contents))
    if (secretFiles.includes(file) || hasPrivateKey(content.toString()))
      problems.add(file, `a private key ${READABLE}`);
  if (problems.list.length > 0)
    throw usageError(problems.list.map(({ path, reason }) => `${path}: ${reason}`).join('\n  '));
}

/**
 * Returns the part of an option's value that the text of the code contains; the whole value, if the flow is no code.
 * @type {(code: string | null, value: any) => any}
 */
function writtenIn(code, value) {
  if (code === null || value === undefined || value === null) return value;
  const isWritten = (/** @type {any} */ one) => [one].flat().some((text) => code.includes(String(text)));
  if (typeof value !== 'object' || Array.isArray(value)) return isWritten(value) ? value : undefined;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => isWritten(one)));
}

/** Kubernetes adds -INDEX for the pods, and we add -merge. @type {(pods: number) => number} */
export function longestName(pods) {
  return LONGEST_LABEL - Math.max(`-${pods - 1}`.length, '-merge'.length);
}

/**
 * Refuses what Kubernetes would refuse when the job is applied.
 * @type {(names: Pick<JobRequest, 'pods' | 'claim' | 'image' | 'secret'> & { name: string }) => void}
 */
export function refuseNames({ name, pods, claim, image, secret }) {
  const longest = longestName(pods);
  if (name.length > longest || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    throw usageError(`--name ${name} is not valid: use up to ${longest} lower-case letters, digits and -`);
  for (const [flag, value] of Object.entries({ '--claim': claim, '--secret': secret }))
    if (typeof value === 'string' && !NAME.test(value))
      throw usageError(`${flag} ${value} is not valid: use up to 253 lower-case letters, digits, - and .`);
  if (image !== undefined && !IMAGE.test(image))
    throw usageError(`--image ${image} is not valid: use the name of an image, such as registry.test/mine:1`);
}
