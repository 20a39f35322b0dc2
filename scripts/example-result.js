import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes the result of a real run that the reference shows: `node scripts/example-result.js`, `npm run format`,
 * `npm run generate`. A test compares its keys with those of the schema and of another run.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The file, from the root. */
export const EXAMPLE = 'docs/reference/result.example.json';
const FLOW = {
  main: [
    { put: '/items/#{INDEX}', name: 'create', json: { n: 1 } },
    { get: '/items/#{INDEX}', name: 'read' },
  ],
};
const LOAD = ['-r', '100', '-t', '5s', '-c', '10', '--title', 'items'];
const TESTS = ['--threshold', 'p95<200ms', '--threshold', 'read errors<1%'];
/** Characters of an encoding that are shown. */
const SHOWN = 12;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeExample();

function writeExample() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  try {
    writeFileSync(join(folder, 'items.json'), JSON.stringify(FLOW));
    const args = [join(ROOT, 'bin/bench-rest.js'), '--serve', ...LOAD, ...TESTS, '--json', 'items.json'];
    const result = JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
    writeFileSync(join(ROOT, EXAMPLE), `${JSON.stringify(shortened(result), null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first entries of long lists, and the first characters of encodings. @type {(result: any) => any} */
function shortened({ series, exemplars, validity, loadGenerators, ...result }) {
  const [{ name: _, ...generator }] = loadGenerators;
  const whole = {
    ...result,
    validity: { ...validity, figures: validity.figures?.slice(0, 1) },
    exemplars: { ...exemplars, slowest: exemplars.slowest.slice(0, 1) },
    series: {
      ...series,
      points: series.points.slice(0, 2),
      operations: series.operations?.map((/** @type {any} */ one) => ({ ...one, points: one.points.slice(0, 1) })),
    },
    loadGenerators: [{ name: 'laptop', ...generator }],
  };
  return JSON.parse(JSON.stringify(whole), (key, value) => {
    if (key === 'hdr' || key === 'hdrPayload') return `${value.slice(0, SHOWN)}…`;
    return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  });
}
