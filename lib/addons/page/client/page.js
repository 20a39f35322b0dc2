import { distributionFigure } from './distribution.js';
import { byId, show } from './elements.js';
import { OperationsTable, showErrors, showSlowest } from './operations.js';
import { showExports } from './exports.js';
import { showPercentiles } from './percentiles.js';
import {
  showCards,
  showIntervals,
  showLatency,
  showServer,
  showValidity,
  showMetrics,
  showSections,
  showOutcome,
  showProgress,
  showStatuses,
  showThresholds,
} from './sections.js';
import { TimeCharts } from './time-charts.js';

const REDRAW_MS = 100;

/** Made with the first result. @type {TimeCharts | null} */
let charts = null;
const operationsTable = new OperationsTable(byId('operations'));
/** @type {any} */
let latest = null;

/** Shows a result, the first or a newer one. @type {(model: any) => void} */
function render(model) {
  latest = model;
  document.title = `${model.isLive ? '●' : model.outcome.mark} ${model.title} · bench-rest`;
  byId('title').textContent = model.title;
  byId('subtitle').textContent = model.subtitle;
  byId('about').textContent = model.about.join(' · ');
  showOutcome(model);
  showProgress(model);
  showThresholds(model);
  showCards(model);
  showErrors(model);
  show('distribution', model.distribution ? distributionFigure(model.distribution) : []);
  /** @type {HTMLElement} */ (byId('operations').closest('section')).hidden = model.operations.length === 0;
  operationsTable.update(model.operations, model.errors.groups);
  showLatency(model);
  showStatuses(model);
  showMetrics(model);
  showSections(model);
  showSlowest(model);
  showServer(model);
  showValidity(model);
  showIntervals(model);
  // Charts take the width that the other sections leave.
  charts ??= new TimeCharts(model);
  charts.update(model);
  showPercentiles(model);
  showExports(model);
  byId('options').textContent = JSON.stringify(model.options, null, 2);
}

/** Charts have the width and the colors of the moment they are drawn. */
function redraw() {
  if (latest === null) return;
  charts?.redraw();
  showPercentiles(latest);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
addEventListener('resize', () => {
  clearTimeout(timer);
  timer = setTimeout(redraw, REDRAW_MS);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
addEventListener('beforeprint', () => {
  document.documentElement.dataset.printing = 'yes';
  redraw();
});
addEventListener('afterprint', () => {
  delete document.documentElement.dataset.printing;
  redraw();
});

// The page of a dashboard has no result before the first one of its run.
const first = byId('result').textContent;
if (first) render(JSON.parse(first));

if (document.documentElement.dataset.live === 'yes') {
  const source = new EventSource('events');
  source.addEventListener('result', ({ data }) => {
    const model = JSON.parse(data);
    render(model);
    if (!model.isLive) source.close();
  });
}
