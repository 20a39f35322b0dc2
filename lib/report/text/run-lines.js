import { exchangeLines } from '../../text/exchange-lines.js';
import { wrapped } from '../../text/format-value.js';
import { hidingSecretsOf } from '../../text/mask.js';
import { safe } from '../../text/safe.js';
import { targetText } from '../rows.js';

/** @import { PlanSummary } from '../../contracts/run.js' */
/** @import { TracedExchange } from '../../text/types.js' */

const MAX_OPERATIONS = 12;
const PACED_BY = { timer: 'timers', thread: 'a thread', poll: 'polling' };

/**
 * Describes the planned run in a few lines. `from`: source of the flow; `width`: columns of the terminal.
 * @type {(plan: PlanSummary, about: { from: string, version: string, width?: number }) => string}
 */
export function planText({ shape, pacing, operations, shard, ...way }, { from, version, width = Infinity }) {
  const target = safe(targetText(way));
  const paced = pacing ? `, paced by ${PACED_BY[pacing]}` : '';
  const load = wrapped(`bench-rest ${version}: ${safe(shape)}${paced}${target}`, 2, width);
  const part = shard ? `\nshard ${shard.number} of ${shard.of}` : '';
  const phases = Object.entries(operations).filter(([, names]) => names.length > 0);
  const lines = phases.flatMap(([phase, names]) =>
    listed(names).map((name, i) => `  ${(i === 0 ? phase : '').padEnd(10)}  ${name}\n`),
  );
  return `${load}${part}\nflow: ${safe(from)}\n${lines.join('')}`;
}

/** @type {(names: string[]) => string[]} */
function listed(names) {
  const some = names.slice(0, MAX_OPERATIONS).map(safe);
  return names.length > MAX_OPERATIONS ? [...some, `and ${names.length - MAX_OPERATIONS} more`] : some;
}

/** For people: its place and time, and its lines, with secrets masked. @type {(exchange: TracedExchange) => string} */
export function exchangeText({ where, ms, secrets, ...exchange }) {
  return hidingSecretsOf(
    { secrets: () => secrets },
    () => `${safe(where)} (${ms.toFixed(1)} ms)\n${exchangeLines(exchange).join('\n')}\n\n`,
  );
}
