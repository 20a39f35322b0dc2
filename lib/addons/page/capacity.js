import {
  aboutText,
  headText,
  heldText,
  loadText,
  outcomeOfCapacity,
  pointsOf,
  remarksOf,
  titleText,
} from '../capacity/report/rows.js';
import { stepsBlock } from '../capacity/report/blocks.js';
import { glyphsOf } from '../../core/report/terminal.js';
import { embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { Capacity } from '../capacity/capacity.js' */
/** @import { RenderDocument } from '../compare/report/documents.js' */

const ASSETS = readAssets('client/capacity-page.js');

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div class="columns">
${section('Response times', 'times')}
${section('Throughput and errors', 'throughput')}
</div>
${section('Steps', 'steps')}`;

/** @type {RenderDocument<Capacity>} */
export function render(capacity) {
  return shellOf({ title: 'bench-rest', body: BODY, data: embeddedJson(capacityModel(capacity)), assets: ASSETS });
}

/** @typedef {ReturnType<typeof capacityModel>} CapacityModel */

/** The content of the page of a capacity, as plain data; its script draws it. @param {Capacity} capacity */
export function capacityModel(capacity) {
  const { by, conclusion, steps } = capacity;
  const { load, interval, knee, message } = conclusion;
  return {
    title: titleText(capacity),
    subtitle: headText(capacity),
    about: aboutText(capacity).join(' · '),
    outcome: { ...outcomeOfCapacity(capacity), sentence: message },
    remarks: remarksOf(capacity),
    unit: by === 'rate' ? '/s' : '',
    marks: [
      ...(load === null ? [] : [{ load, label: `capacity ${heldText(capacity)}` }]),
      ...(knee === null || knee === load ? [] : [{ load: knee, label: `knee ${loadText(knee, by)}` }]),
    ],
    bands: load === null ? [] : [interval],
    points: pointsOf(steps),
    steps: stepsBlock(capacity, { format: 'page', glyphs: glyphsOf(true) }),
  };
}
