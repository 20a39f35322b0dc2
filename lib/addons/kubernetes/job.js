/**
 * The manifests of a run on Kubernetes, as plain objects that `print-job.js` checks and prints: a Job whose pods run
 * one shard each and start together, and a Job that merges their results.
 *
 * @typedef {object} JobSettings
 * @property {string} name of the job: lower-case letters, digits and -
 * @property {string} flow the file name of the flow, or a URL
 * @property {Record<string, Buffer>} files by name: the flow, what it reads, and the configuration
 * @property {number} pods number of pods, one shard each
 * @property {string} version of bench-rest
 * @property {number} lastingMs longest time of a run
 * @property {number} leadMs between the agreement of the pods and the start of their load
 * @property {boolean} hasThresholds the flow has thresholds, which the job that merges judges
 * @property {string} [image]
 * @property {string | false} claim name of the volume for the results; false: they are printed
 * @property {string} [secret]
 *
 * @typedef {Pick<JobSettings, 'name' | 'version' | 'image' | 'secret'> & { claim: string, thresholds: string[] }}
 *   MergeSettings
 */

const FLOW_FOLDER = '/flow';
/** The file of the run options, among the files. */
export const CONFIG_FILE = '.bench-restrc.json';
const RESULTS_FOLDER = '/results';
const START_FOLDER = '/start';
const NODE_IMAGE = 'node:22-alpine';
/** The user in the image of Node, and in that of bench-rest. */
const USER = 1000;
/** The longest wait before the load, s: downloads, and pods that wait for a node. */
const MOST_WAIT_S = 600;
/** Finished jobs are kept for a day, and a merge may take this long, s. */
const KEEP_S = 86_400;
const MERGE_S = 600;
/** The variable with the id of a job, which is known when it runs; also its placeholder in the job that merges. */
const JOB_UID = 'JOB_UID';
/** A limit of CPU would stop the load generator for parts of each 100 ms. */
const RESOURCES = { requests: { cpu: '1', memory: '256Mi' }, limits: { memory: '1Gi' } };
const TMP = { name: 'tmp', mountPath: '/tmp' };
const HOME = { name: 'HOME', value: TMP.mountPath };
const RESULTS = { name: 'results', mountPath: RESULTS_FOLDER };
const FLOW = { name: 'flow', mountPath: FLOW_FOLDER, readOnly: true };
const START = { name: 'start', mountPath: START_FOLDER };

/**
 * Returns the documents: a ConfigMap with the flow, and an Indexed Job that runs it: pod i of n runs shard i + 1 of n,
 * and saves its result. Fields as in the reference of the API batch/v1.
 * @type {(settings: JobSettings) => object[]}
 */
export function jobOf(settings) {
  const { name, files, pods, lastingMs } = settings;
  const labels = labelsOf(name);
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, ...dataOf(files) };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      completionMode: 'Indexed',
      completions: pods,
      parallelism: pods,
      // A shard that fails neither runs again nor ends the others.
      backoffLimitPerIndex: 0,
      maxFailedIndexes: pods,
      activeDeadlineSeconds: Math.ceil(lastingMs / 1000) + MOST_WAIT_S,
      ttlSecondsAfterFinished: KEEP_S,
      template: { metadata: { labels }, spec: podOf(settings, labels) },
    },
  };
  return [configMap, job];
}

/** A Job that merges the results of the shards, and judges thresholds. @type {(settings: MergeSettings) => object} */
export function mergeJobOf({ name, claim, thresholds, ...settings }) {
  const labels = labelsOf(name);
  const results = `${RESULTS_FOLDER}/${name}-${JOB_UID}`;
  const program = settings.image === undefined ? `npx --yes bench-rest@${settings.version}` : 'bench-rest';
  const judged = thresholds.flatMap((threshold) => ['--threshold', threshold]);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${name}-merge`, labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: MERGE_S,
      ttlSecondsAfterFinished: KEEP_S,
      template: {
        metadata: { labels },
        spec: {
          ...podDefaults(),
          containers: [
            {
              name: 'merge',
              ...containerDefaults(settings),
              // The shell lists the files of the shards. Those by which they agreed on a start are not needed any more.
              command: [
                'sh',
                '-c',
                `rm -rf ${startFolder(name)}-${JOB_UID}; exec ${program} merge "$@" ${results}-*.json`,
                'merge',
              ],
              args: [...judged.map(asArgument), '-o', `${results}.json`, '-o', `${results}.html`],
              volumeMounts: [TMP, RESULTS],
            },
          ],
          volumes: [{ name: TMP.name, emptyDir: {} }, volumeOf(claim)],
        },
      },
    },
  };
}

/** Kubernetes replaces `$(NAME)` by a variable, and `$$` by `$`. @type {(text: string) => string} */
function asArgument(text) {
  return text.replace(/\$(?=[$(])/g, '$$$$');
}

/** Returns texts as they are, other files in base64. @type {(files: Record<string, Buffer>) => object} */
function dataOf(files) {
  const entries = Object.entries(files);
  const isText = (/** @type {Buffer} */ content) => Buffer.from(content.toString()).equals(content);
  const data = entries.filter(([, content]) => isText(content)).map(([name, content]) => [name, content.toString()]);
  const others = entries.filter(([, content]) => !isText(content));
  const binaryData = others.map(([name, content]) => [name, content.toString('base64')]);
  return {
    data: Object.fromEntries(data),
    ...(binaryData.length > 0 && { binaryData: Object.fromEntries(binaryData) }),
  };
}

/** @type {(name: string) => Record<string, string>} */
function labelsOf(name) {
  return { 'app.kubernetes.io/name': 'bench-rest', 'app.kubernetes.io/instance': name };
}

/** Pod Security "restricted" demands these. */
function podDefaults() {
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

/** @type {(settings: Pick<JobSettings, 'image'>) => object} */
function containerDefaults({ image }) {
  return {
    image: image ?? NODE_IMAGE,
    env: [HOME],
    resources: RESOURCES,
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
}

/** Returns the variables of a shard's container: its number, and the id of its job, which each new job has anew. */
function shardVariables() {
  const podField = (/** @type {string} */ fieldPath) => ({ fieldRef: { fieldPath } });
  return [
    HOME,
    { name: 'SHARD_INDEX', valueFrom: podField("metadata.annotations['batch.kubernetes.io/job-completion-index']") },
    { name: JOB_UID, valueFrom: podField("metadata.labels['batch.kubernetes.io/controller-uid']") },
  ];
}

/** @type {(settings: JobSettings, labels: Record<string, string>) => object} */
function podOf(settings, labels) {
  const { name, claim, pods, version, image, leadMs } = settings;
  const packageName = image === undefined ? `bench-rest@${version}` : null;
  const start = {
    name: 'start',
    ...containerDefaults(settings),
    env: shardVariables(),
    command: [
      'node',
      '-e',
      startScript({
        of: pods,
        packageName,
        config: `${FLOW_FOLDER}/${CONFIG_FILE}`,
        leadMs,
        folder: startFolder(name),
        out: `${START_FOLDER}/${CONFIG_FILE}`,
      }),
    ],
    volumeMounts: [TMP, FLOW, START, RESULTS],
  };
  return {
    ...podDefaults(),
    // Pods of one node share its cores.
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    ...(claim !== false && { initContainers: [start] }),
    containers: [containerOf(settings)],
    volumes: [
      { name: FLOW.name, configMap: { name } },
      { name: TMP.name, emptyDir: {} },
      ...(claim === false ? [] : [{ name: START.name, emptyDir: {} }, volumeOf(claim)]),
    ],
  };
}

/** Returns the folder for the agreement of the pods; the id of the job is added. @type {(name: string) => string} */
function startFolder(name) {
  return `${RESULTS_FOLDER}/.start-${name}`;
}

/** @type {(claim: string) => object} */
function volumeOf(claim) {
  return { name: RESULTS.name, persistentVolumeClaim: { claimName: claim } };
}

/** A threshold that is always true: it replaces those of the flow, which are for the whole run. */
const NO_THRESHOLD = 'iterations.started>=0';

/** @type {(settings: JobSettings) => object} */
function containerOf({ name, flow, pods, version, image, secret, claim, hasThresholds }) {
  // The result is one line of a log, which also has those of the progress.
  const result =
    claim === false ? ['--format', 'ndjson'] : ['-o', `${RESULTS_FOLDER}/${name}-$(${JOB_UID})-$(SHARD_INDEX).json`];
  const args = [
    ['--shard', `auto/${pods}`],
    ['--run-id', `${name}-$(${JOB_UID})`],
    // The folder of a ConfigMap belongs to another user than that of some images, so its file is not found by itself.
    ['--config', claim === false ? CONFIG_FILE : `${START_FOLDER}/${CONFIG_FILE}`],
    hasThresholds ? ['--threshold', NO_THRESHOLD] : [],
    result,
    [asArgument(flow)],
  ].flat();
  return {
    name: 'bench-rest',
    ...containerDefaults({ image }),
    env: shardVariables(),
    ...(image === undefined && { command: ['npx', '--yes', `bench-rest@${version}`] }),
    args,
    workingDir: FLOW_FOLDER,
    ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
    volumeMounts: [TMP, FLOW, ...(claim === false ? [] : [START, RESULTS])],
  };
}

/**
 * Writes the code of the init step of each pod: it downloads bench-rest, waits until all pods have come so far, and
 * adds the common start to the configuration. The pods agree by files on the volume of the results: each writes the
 * time when it was ready, so all of them find the same latest time.
 * @param {object} settings
 * @param {number} settings.of pods
 * @param {number} settings.leadMs between the agreement and the start
 * @param {string | null} settings.packageName to download; null if the image has it
 * @param {string} settings.config path of the configuration
 * @param {string} settings.folder for the files of a run; the id of the job is added
 * @param {string} settings.out path of the configuration with the start
 * @returns {string} for node -e
 */
export function startScript({ of, leadMs, packageName, config, folder, out }) {
  const download =
    packageName === null
      ? ''
      : `require('node:child_process').execFileSync('npx', ['--yes', '${packageName}', '--version'], { stdio: 'inherit' });\n`;
  return `${download}const fs = require('node:fs');
const folder = '${folder}-' + process.env.JOB_UID;
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(folder + '/' + process.env.SHARD_INDEX, new Date().toISOString());
console.error('waits for ${of} pods');
const timer = setInterval(() => {
  const times = fs.readdirSync(folder).map((name) => Date.parse(fs.readFileSync(folder + '/' + name, 'utf8')));
  if (times.length < ${of} || times.some(Number.isNaN)) return;
  clearInterval(timer);
  const startAt = new Date(Math.max(...times) + ${leadMs}).toISOString();
  const options = JSON.parse(fs.readFileSync('${config}', 'utf8'));
  fs.writeFileSync('${out}', JSON.stringify({ ...options, startAt }));
  console.error('all pods start at ' + startAt);
}, 500);
`;
}
