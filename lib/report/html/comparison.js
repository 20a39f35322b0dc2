import { comparisonModel } from './comparison-model.js';
import { MODULES, embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { RenderComparison } from '../comparison/types.js' */

/** The modules of the page's script, each before those that import it. */
const PAGE_MODULES = [...MODULES, 'client/forest.js', 'client/comparison-page.js'];

const ASSETS = readAssets(PAGE_MODULES);

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div id="sides" class="sides"></div>
${section('Figures', 'figures')}
${section('Distribution', 'distribution')}
${section('Operations', 'operations')}
${section('What differs', 'differences')}
<p id="method" class="quiet small"></p>`;

/** The page of a comparison. @type {RenderComparison} */
export function render(comparison) {
  const data = embeddedJson(comparisonModel(comparison));
  return shellOf({ title: 'bench-rest', body: BODY, data, assets: ASSETS });
}
