const SECONDS = /^\d+$/;
/** The three forms of a date (RFC 9110 5.6.7); the last one has no zone, and is of GMT, too. */
const DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

/**
 * Returns the wait that the field Retry-After of a response asks for (RFC 9110 10.2.3), ms: seconds, or a date, which
 * counts from that of the response, as clocks differ. Undefined without the field, or if it is malformed.
 * @type {(headers: Record<string, any>, now: number) => number | undefined} now: of the wall clock
 */
export function retryAfterMs({ 'retry-after': field, date }, now) {
  const text = String([field].flat()[0] ?? '').trim();
  if (SECONDS.test(text)) return 1000 * Number(text);
  const until = readDate(text);
  if (Number.isNaN(until)) return undefined;
  const sentAt = readDate(String(date ?? ''));
  return Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt));
}

/** @type {(text: string) => number} NaN: it is no date */
function readDate(text) {
  if (!DATE.test(text)) return NaN;
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
}
