import { createHash } from 'node:crypto';

/**
 * @typedef {object} JobSettings
 * @property {string} name of the job: lower-case letters, digits and -
 * @property {string} flow the file name of the flow, or a URL
 * @property {Record<string, string>} files texts by name: the flow, what it reads, and the configuration
 * @property {number} agents pods
 * @property {string} version of bench-rest
 * @property {string} [image]
 * @property {string} claim
 * @property {string} [secret]
 */

const FLOW_FOLDER = '/flow';
const RESULTS_FOLDER = '/results';
const NODE_IMAGE = 'node:22-alpine';

/**
 * A ConfigMap with the flow, and an Indexed Job that runs it: pod i of n runs shard i + 1 of n, and saves its result.
 * Fields as in the reference of the API batch/v1.
 *
 * @param {JobSettings} settings
 * @returns {object[]} documents of Kubernetes
 */
export function jobOf(settings) {
  const { name, files, agents } = settings;
  const labels = { 'app.kubernetes.io/name': 'bench-rest', 'app.kubernetes.io/instance': name };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: files };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      completionMode: 'Indexed',
      completions: agents,
      parallelism: agents,
      // a shard that fails a threshold neither runs again nor ends the others
      backoffLimitPerIndex: 0,
      maxFailedIndexes: agents,
      template: { metadata: { labels }, spec: podOf(settings, labels) },
    },
  };
  return [configMap, job];
}

/** @type {(settings: JobSettings, labels: Record<string, string>) => object} */
function podOf({ name, claim, ...settings }, labels) {
  return {
    restartPolicy: 'Never',
    // pods of one node share its cores
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    containers: [containerOf({ name, ...settings })],
    volumes: [
      { name: 'flow', configMap: { name } },
      { name: 'results', persistentVolumeClaim: { claimName: claim } },
    ],
  };
}

/** @type {(settings: Omit<JobSettings, 'claim'>) => object} */
function containerOf({ name, flow, files, agents, version, image, secret }) {
  const args = [
    ...['--shard', `auto/${agents}`, '--run-id', runIdOf(name, files)],
    ...['-o', `${RESULTS_FOLDER}/${name}-$(SHARD_INDEX).json`, flow],
  ];
  return {
    name: 'bench-rest',
    image: image ?? NODE_IMAGE,
    ...(image === undefined && { command: ['npx', '--yes', `bench-rest@${version}`] }),
    args,
    workingDir: FLOW_FOLDER,
    env: [
      {
        name: 'SHARD_INDEX',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']" } },
      },
    ],
    ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
    resources: { requests: { cpu: '1', memory: '256Mi' } },
    volumeMounts: [
      { name: 'flow', mountPath: FLOW_FOLDER, readOnly: true },
      { name: 'results', mountPath: RESULTS_FOLDER },
    ],
  };
}

/** Equal for the pods of one job, another one for another flow or load. @type {(name: string, files: Record<string, string>) => string} */
function runIdOf(name, files) {
  return `${name}-${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)}`;
}
