import { bytes, ms } from '../../../core/ground/decimal.js';
import { byId, element, show, table } from './elements.js';
import { FlameGraph } from './flame-graph.js';

/** @import { TableColumn } from './elements.js' */
/** @import { Graph } from './flame-graph.js' */
/** @import { ComparedProfileModel, ProfileModel } from '../../server/report/profile.js' */

/** The profiles of a page, as a script of its own that follows the others: most pages have no profile. */

const REDRAW_MS = 100;
/** All flame graphs of the page, which are drawn again in another width. @type {FlameGraph[]} */
const graphs = [];

/** @type {(value: number, unit: 'ms' | 'B') => string} */
function valueText(value, unit) {
  if (unit === 'B') return bytes(value);
  return value >= 0.1 ? `${ms(value)} ms` : `${(value * 1000).toFixed(1)} µs`;
}

/** @type {(profile: ProfileModel, graph: Graph) => HTMLElement} */
function profilePart({ title, text, unit, hottest, operations, packages, own, others, processes }, graph) {
  const spots = table(
    `${title}: hottest`,
    [{ head: 'share' }, { head: 'function', isText: true }, { head: 'called at', isText: true }],
    hottest.map((row) => [row.share, code(row.name), code(row.place)]),
  );
  const ofOperations = table(
    `${title} by operation`,
    columnsOf(['operation', 'share', 'in its handler', 'amount'], 1),
    operations.map((row) => [row.name, row.share, row.direct, row.amount]),
  );
  return element(
    'div',
    { class: 'profile' },
    element('h3', {}, `${title} `, element('span', { class: 'quiet', text })),
    spots,
    ...(operations.length > 0 ? [ofOperations] : []),
    graphOf(graph, { label: title, unit }),
    folded(
      'Own code, by function',
      columnsOf(['function', 'place', 'self', 'total'], 2),
      own.map((row) => [code(row.name), code(row.place), row.self, row.total]),
    ),
    folded(
      'Packages, runtime and native code, by function',
      columnsOf(['function', 'of', 'place', 'self', 'total'], 3),
      others.map((row) => [code(row.name), row.package, code(row.place), row.self, row.total]),
    ),
    folded(
      'By package',
      columnsOf(['package', 'share', 'amount'], 1),
      packages.map((row) => [row.name, row.share, row.amount]),
    ),
    folded(
      'By process',
      columnsOf(['process', 'share'], 1),
      processes.length > 1 ? processes.map((row) => [row.name, row.share]) : [],
    ),
  );
}

/** @type {(profile: ComparedProfileModel, graph: Graph) => HTMLElement} */
function comparedPart({ title, text, unit, changed }, graph) {
  const heads = ['change', 'function', 'place', 'before', 'now'].map((head, i) => ({
    head,
    isText: i === 1 || i === 2,
  }));
  const rows = changed.map((row) => [row.change, code(row.name), code(row.place), row.base, row.new]);
  return element(
    'div',
    { class: 'profile' },
    element('h3', {}, `${title} `, element('span', { class: 'quiet', text })),
    graphOf(graph, { label: `${title}, changes`, unit }),
    ...(rows.length > 0 ? [table('Functions that changed most, per request', heads, rows)] : []),
  );
}

/** @type {(graph: Graph, options: { label: string, unit: 'ms' | 'B' }) => HTMLElement} */
function graphOf(graph, { label, unit }) {
  const made = new FlameGraph(graph, { label, valueText: (value) => valueText(value, unit) });
  graphs.push(made);
  return made.figure;
}

/** @type {(text: string) => HTMLElement} */
function code(text) {
  return element('code', { text });
}

/** @type {(heads: string[], texts: number) => TableColumn[]} texts: how many of the first columns are text */
function columnsOf(heads, texts) {
  return heads.map((head, i) => ({ head, isText: i < texts }));
}

/** @type {(title: string, columns: TableColumn[], rows: (Node | string)[][]) => HTMLElement} hidden without rows */
function folded(title, columns, rows) {
  const content = rows.length > 0 ? [table(title, columns, rows)] : [];
  const details = element('details', {}, element('summary', { text: title }), ...content);
  details.hidden = rows.length === 0;
  return details;
}

function redrawAll() {
  for (const graph of graphs) graph.draw();
}

const { profiles = [], comparedProfiles = [], comparedTrees, result } = JSON.parse(byId('result').textContent || '{}');
const changes = comparedTrees ?? result?.baseline?.profiles;
show(
  'profile',
  profiles.map((/** @type {any} */ one, /** @type {number} */ i) => profilePart(one, result.profiles[i])),
);
show(
  'profile-changes',
  comparedProfiles.map((/** @type {any} */ one, /** @type {number} */ i) => comparedPart(one, changes[i])),
);
redrawAll();

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
addEventListener('resize', () => {
  clearTimeout(timer);
  timer = setTimeout(redrawAll, REDRAW_MS);
});
