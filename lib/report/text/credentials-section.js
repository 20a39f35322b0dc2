import { counted } from '../numbers.js';
import { wrapped } from './layout.js';

const MOST_SHOWN = 5;

/** The origins that got requests without the credentials of the run. @type {import('./index.js').Section} */
export function credentialsSection({ requests: { withheld = {} } }, { paint, width }) {
  const all = Object.entries(withheld);
  const more = all.length - MOST_SHOWN;
  const lines = all.slice(0, MOST_SHOWN).map(([origin, count]) => {
    const remedy = origin === 'other' ? '' : `; to send them, add --credentials-for ${origin}`;
    const text = `the credentials of the run were not sent to ${origin} (${counted(count, 'request')}): a response named it, not the flow${remedy}`;
    return paint('yellow', wrapped(text, 2, width));
  });
  return more > 0 ? [...lines, `${counted(more, 'more origin')} in the result (requests.withheld)`] : lines;
}
