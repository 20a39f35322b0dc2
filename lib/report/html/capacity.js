import { STEP_HEAD, aboutText, headText, intervalText, loadText, remarksOf, stepRow } from '../capacity/rows.js';
import { embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { Capacity, CapacityStep } from '../../contracts/capacity.js' */
/** @import { RenderCapacity } from '../capacity/formats.js' */

const ASSETS = readAssets('client/capacity-page.js');

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div class="columns">
${section('Response times', 'times')}
${section('Throughput and errors', 'throughput')}
</div>
${section('Steps', 'steps')}`;

/** The page of a capacity. @type {RenderCapacity} */
export function render(capacity) {
  return shellOf({ title: 'bench-rest', body: BODY, data: embeddedJson(capacityModel(capacity)), assets: ASSETS });
}

/** @typedef {ReturnType<typeof capacityModel>} CapacityModel */

/** The words and the class of the band of each outcome. */
const OUTCOMES = {
  found: { status: 'passed', word: '✓ found' },
  atLeast: { status: 'suspect', word: '! at least' },
  none: { status: 'failed', word: '✗ none' },
  imprecise: { status: 'suspect', word: '! not precise' },
  unrecovered: { status: 'suspect', word: '! not recovered' },
};

/** The content of the page of a capacity, as plain data; its script draws it. @param {Capacity} capacity */
export function capacityModel(capacity) {
  const { by, conclusion, steps, outcome } = capacity;
  const { load, interval, knee, sentence } = conclusion;
  const hasFailed = outcome?.passed === false;
  return {
    title: load === null ? 'capacity' : `capacity: ${loadText(load, by)}`,
    subtitle: headText(capacity),
    about: aboutText(capacity),
    outcome: { ...(hasFailed ? { status: 'failed', word: '✗ failed' } : OUTCOMES[conclusion.outcome]), sentence },
    remarks: remarksOf(capacity),
    unit: by === 'rate' ? '/s' : '',
    marks: [
      ...(load === null ? [] : [{ load, label: `capacity ${loadText(load, by)}` }]),
      ...(knee === null || knee === load ? [] : [{ load: knee, label: `knee ${loadText(knee, by)}` }]),
    ],
    interval: load === null ? null : { ...interval, text: intervalText(interval, by) },
    points: pointsOf(steps),
    head: [...STEP_HEAD, 'held', 'note'],
    rows: steps.map((step) => stepRow(step, by)),
  };
}

/** The steps along the load, without those that let the service recover. @param {CapacityStep[]} steps */
function pointsOf(steps) {
  return steps
    .filter(({ role }) => role !== 'settling')
    .map(({ load, verdict, figures: { p50, p95, p99, throughput, errorShare } }) => ({
      ...{ load: load.rate ?? load.virtualUsers, verdict, p50, p95, p99, throughput, errorShare },
    }))
    .sort((a, b) => a.load - b.load);
}
