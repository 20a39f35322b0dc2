import { ms, rate, signed } from '../../core/ground/decimal.js';
import { regressionsIn } from '../compare/measure/compared-figures.js';
import { statisticOf } from '../../core/measure/threshold-figures.js';
import { rounded } from './chart-data.js';
import { figureName } from '../compare/report/rows.js';
import { METHOD, aboutText, leftOutTexts } from '../history/report/blocks.js';
import { embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { RenderDocument } from '../compare/report/documents.js' */
/** @import { History, HistoryGroup } from '../history/history.js' */

const ASSETS = readAssets('client/history-page.js');

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div id="groups"></div>
${section('Left out', 'left-out')}
<p id="method" class="quiet small"></p>`;

/** @type {RenderDocument<History>} */
export function render(history) {
  return shellOf({ title: 'bench-rest', body: BODY, data: embeddedJson(historyModel(history)), assets: ASSETS });
}

/** @typedef {ReturnType<typeof historyModel>} HistoryModel */

/** The content of the page of a history, as plain data; its script draws it. @param {History} history */
export function historyModel({ groups, leftOut, outcome, message }) {
  const regressions = regressionsIn(outcome);
  const isWorse = regressions.length > 0;
  return {
    title: 'history',
    subtitle: groups.length === 1 ? groups[0].name : '',
    outcome: {
      ...(isWorse ? { status: 'failed', word: '✗ worse' } : { status: 'noise', word: '' }),
      sentence: message,
      regressions,
    },
    groups: groups.map(groupModel),
    leftOut: leftOutTexts(leftOut),
    method: METHOD,
  };
}

/** @param {HistoryGroup} group */
function groupModel(group) {
  const { name, differs, results, figures, changes, newest, notes } = group;
  return {
    title: [name, ...differs].join(', '),
    about: aboutText(group),
    sentences: [
      ...changes.map(({ verdict, message }) => ({ verdict, text: message })),
      ...(newest ? [{ verdict: newest.verdict, text: newest.message }] : []),
      ...notes.map(({ message }) => ({ verdict: 'noise', text: message })),
    ],
    marks: changes.map(({ at, verdict }) => ({ at, verdict, label: results[at].label ?? results[at].name })),
    results: results.map((one) => ({
      name: one.name,
      time: `${one.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
      file: one.file,
    })),
    charts: figures.map(({ figure, unit, noise, levels }) => ({
      name: unit === 'ms' ? statisticOf(figure) : 'iterations per second',
      unit: unit === 'ms' ? 'ms' : '',
      values: results.map((one) => rounded(one.figures[figure])),
      noise,
      levels: levels.map(({ from, to, value, low, high }) => {
        return { from, to, value: rounded(value), low: rounded(low), high: rounded(high) };
      }),
      text: levelText(levels, unit),
    })),
    table: {
      columns: [
        { head: 'result', isText: true },
        { head: 'time', isText: true, spare: 0 },
        ...figures.map(({ figure, unit }) => ({ head: figureName(figure, unit) })),
      ],
      rows: results
        .toReversed()
        .map((one) => [
          one.name,
          one.startedAt.slice(0, 16).replace('T', ' '),
          ...figures.map(({ figure, unit }) => (unit === 'ms' ? ms : rate)(one.figures[figure])),
        ]),
    },
  };
}

/** The level of now, and its change. @type {(levels: HistoryGroup['figures'][0]['levels'], unit: string) => string} */
function levelText(levels, unit) {
  const [before, now] = [levels[levels.length - 2], levels[levels.length - 1]];
  if (now === undefined) return '';
  const text = unit === 'ms' ? `${ms(now.value)} ms` : `${rate(now.value)}/s`;
  return before === undefined ? text : `${text}, ${signed(now.value / before.value - 1)}`;
}
