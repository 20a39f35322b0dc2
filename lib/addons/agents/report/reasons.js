import { count } from '../../../core/ground/decimal.js';
import { endReasonRow } from '../../../core/ground/end-reasons.js';
import { EXIT_CODES } from '../../../core/ground/exit-codes.js';
import { listed } from '../../../core/text/format-value.js';

/** @import { LoadGeneratorEntry } from '../../../core/contracts/stats.js' */
/** @import { OfferedReason } from '../../../core/measure/outcome.js' */

/** Names of agents in a sentence. */
const MOST_NAMES = 5;

/** Names the agents that were lost or stopped. @type {NonNullable<OfferedReason['explain']>} */
export function explain({ agents, loadGenerators: each = [], run }) {
  const sentences = [
    ...sentenceOf(
      'lost',
      each.filter(({ lost }) => lost !== undefined),
    ),
    ...sentenceOf(
      'stopped',
      each.filter(({ stoppedBy }) => stoppedBy !== undefined),
    ),
  ];
  const { exit, about } = endReasonRow(run?.endReason ?? '');
  const messages = sentences.length > 0 ? sentences : [exit ? about : EXIT_CODES.agents.about];
  const limit = agents && {
    ...{ figure: 'agents.lost', of: {}, operator: '<=', bound: agents.maxLost, actual: agents.lost, unit: '' },
  };
  return messages.map((message) => ({ message, ...limit }));
}

/** @type {(ended: string, some: LoadGeneratorEntry[]) => string[]} */
function sentenceOf(ended, some) {
  if (some.length === 0) return [];
  // Without a version it is a shard that no agent has begun: `agent of shard 3`.
  const names = some
    .slice(0, MOST_NAMES)
    .map(({ name, toolVersion }) => (toolVersion === undefined ? `of ${name}` : name));
  const others = some.length > MOST_NAMES ? [`${count(some.length - MOST_NAMES)} others`] : [];
  const [noun, verb] = some.length === 1 ? ['agent', 'was'] : ['agents', 'were'];
  return [`${noun} ${listed([...names, ...others])} ${verb} ${ended}`];
}
