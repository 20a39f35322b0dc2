/** Between the agreement and the start: the containers of bench-rest have begun by then. */
const LEAD_MS = 15_000;

/**
 * The code of the init step of each pod: it downloads bench-rest, waits until all pods have come so far, and adds the common
 * start to the configuration. The pods agree by files on the volume of the results: each writes the time when it was ready, so
 * all of them find the same latest time.
 *
 * @param {object} settings
 * @param {number} settings.of pods
 * @param {string | null} settings.packageName to download; null if the image has it
 * @param {string} settings.config path of the configuration
 * @param {string} settings.folder for the files of a run; the id of the job is added
 * @param {string} settings.out path of the configuration with the start
 * @returns {string} for node -e
 */
export function startScript({ of, packageName, config, folder, out }) {
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
  const startAt = new Date(Math.max(...times) + ${LEAD_MS}).toISOString();
  const options = JSON.parse(fs.readFileSync('${config}', 'utf8'));
  fs.writeFileSync('${out}', JSON.stringify({ ...options, startAt }));
  console.error('all pods start at ' + startAt);
}, 500);
`;
}
