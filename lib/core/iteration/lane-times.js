/**
 * The places of the times of a lane in one array, ms; instants are those of the clock. V8 keeps each field that has a
 * fraction in memory of its own: 18 objects of each virtual user.
 *
 * Files that use them keep them in a constant: V8 reads an import each time, 60 ns of an iteration in all
 * (bench/micro/iteration/exchange.js).
 */
export const TIMES = {
  // Of the lane
  NOW: 0,
  BUSY: 1, // the busy time of the event loop until then
  EXCHANGED: 2, // service times of the iteration so far
  EXCHANGED_OWN: 3, // the part of them that is the load generator's at most

  // Of its deadline
  STARTED: 4, // when the last exchange started
  CONNECT_AFTER: 5, // from the start until the last connection was asked for
  CREDIT: 6, // the stalls since the start
  UNTIL: 7, // when a wait that is no exchange times out; Infinity: never
  LIMIT: 8, // the limit of all waits, set when the run is over; Infinity before that

  // Of its exchange
  READ_DELAY: 9, // how long its responses may have waited to be read, redirects included
  OWN: 10, // the part of its service time that is the load generator's at most; 0 until it is answered
  BUSY_BEFORE: 11, // the busy time of the event loop at its start
  EARLIER: 12, // how long its earlier requests and the waits after them took: the last has a time of its own
  UNWRITTEN: 13, // how long its requests waited to be written, on connections that were open
  WAITED: 14, // the last wait before a request was sent again

  // Of its phase
  FIRST: 15, // when the current step began for the first time
  PAUSED: 16, // the think time of the phase, and its waits for turns
  ASLEEP: 17, // when the current pause began
  WAKES: 18, // when it ends by itself

  // Of its iteration
  DUE: 19, // when it was due; NaN in a closed model
  WAITED_IDLE: 20, // how long it waited from then until the lane was idle; NaN in a closed model
  BEGUN: 21,
  MAIN: 22, // when its `main` began
  MAIN_BUSY: 23, // the busy time of the event loop until then
  AHEAD: 24, // how much earlier the lane would have been idle without our delays at most; of an open model
  MAIN_UNWRITTEN: 25, // how long requests of `main` have waited to be written
  ASKED: 26, // how long requests of `main` have waited because responses asked for it
};

/** One with a fraction keeps V8 from an array of other values. */
const FIRST_TIMES = /** @type {number[]} */ ([]);
for (const place of Object.values(TIMES)) FIRST_TIMES[place] = NaN;
FIRST_TIMES.fill(0);
FIRST_TIMES[TIMES.UNTIL] = FIRST_TIMES[TIMES.LIMIT] = Infinity;

/** @type {() => number[]} */
export function createTimes() {
  return FIRST_TIMES.slice();
}
