import { comparisonModel } from './comparison-model.js';
import { embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { RenderComparison } from '../comparison/formats.js' */

const ASSETS = readAssets('client/comparison-page.js');

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div id="sides" class="sides"></div>
${section('Figures', 'figures')}
${section('Distribution', 'distribution')}
${section('Operations', 'operations')}
${section('Thresholds', 'thresholds')}
${section('What differs', 'differences')}
<p id="method" class="quiet small"></p>`;

/** The page of a comparison. @type {RenderComparison} */
export function render(comparison) {
  const data = embeddedJson(comparisonModel(comparison));
  return shellOf({ title: 'bench-rest', body: BODY, data, assets: ASSETS });
}
