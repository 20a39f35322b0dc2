export const TIMING = Object.freeze({
  /** An agent reports its presence, and a shard its state. */
  reportMs: 1000,
  /** An agent is absent without a report for this long. */
  presenceMs: 4000,
  /** The coordinator renews the control of its run. */
  renewMs: 500,
  /** The control expires without it, and agents stop when it has been missing for `missingMs` more. */
  controlMs: 2500,
  missingMs: 1500,
  /** Running iterations of a run without a coordinator may finish. */
  orphanMs: 500,
  /** If lost agents are replaced: an agent that cannot read the control pauses after this time. */
  permitMs: 3000,
  /** Agents read the control. */
  pollMs: 200,
  /** A shard that BullMQ calls stalled is lost if it has been silent for this long. */
  stalledMs: 2000,
  /** A silent shard is lost, even if BullMQ has no job for it any more, because Redis lost its data. */
  silentMs: 10_000,
  /** A shard that no agent takes for this long is lost: its agent has gone, or Redis has lost the job. */
  untakenMs: 30_000,
  /** A shard whose agent cannot reach Redis for this long stops. */
  unreachableMs: 15_000,
  /** Its coordinator waits for this much longer for what it has counted, and the agent keeps it. */
  collectMs: 60_000,
  keepMs: 600_000,
  /** BullMQ: a job without a renewed lock is stalled; how often that is checked. */
  lockMs: 3000,
  stalledCheckMs: 1000,
  /** Shortest time from the agreement to the start. */
  leadMs: 400,
  /** BullMQ closes its connections, which it cannot while Redis is unreachable. */
  closeMs: 1000,
  /** Agents answer an abort. */
  abortMs: 1500,
});

/** Waits that end early when something changes. */
export class Pauses {
  /** They end the current waits. @type {Set<() => void>} */
  #wakers = new Set();

  /** @type {(ms: number) => Promise<void>} */
  wait(ms) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wakers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wakers.add(end);
    });
  }

  wake() {
    for (const end of [...this.#wakers]) end();
  }
}
