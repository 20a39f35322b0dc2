import { percent } from '../../../core/ground/decimal.js';
import { PROFILE_KINDS } from '../profile/kinds.js';
import { readInThread } from '../profile/thread.js';
import { clock } from '../../../core/run/clock.js';
import { settlesWithin } from '../../../core/run/closing.js';
import { maskText } from '../../../core/text/mask.js';

/** @import { Profile, ProfileKind } from '../profile.js' */
/** @import { Note, Stats } from '../../../core/contracts/stats.js' */
/** @import { Recorded } from '../profile/read.js' */

/**
 * @typedef {object} Recorder records the service, such as by its preload
 * @property {(ms: number) => void} begin ms: until the planned end; Infinity: not known
 * @property {() => Promise<unknown>} begun settles when it records
 * @property {() => void} end
 * @property {() => Promise<Taken>} take the recorded profiles, after the end
 * @property {() => void} cancel discard the recording
 *
 * @typedef {object} Taken
 * @property {(Recorded & { kind: ProfileKind })[]} recorded
 * @property {string[]} lacks sentences about what is missing
 * @property {{ kind: ProfileKind, file: string }[]} files of the raw profiles that were saved
 */

/** Time limit of the answer of the service that it records: then the run begins without it. */
const BEGUN_MS = 3000;

/** Records the service in the measured time, or at its end. */
export class ProfileRecording {
  #recorder;
  #folder;
  #lastMs;
  #operations;
  /** Cancels the start of a recording of the end of the run. */
  #cancelStart = () => {};
  /** Instant of performance.now(); null: it has not begun. @type {number | null} */
  #begunAt = null;
  #durationMs = 0;
  /** The planned length of the measured time; Infinity: not known. */
  #endMs = Infinity;

  /**
   * @param {{ recorder: Recorder, folder: string, lastMs?: number, operations?: string[] }} options folder: of the
   *   service; operations: their names
   */
  constructor({ recorder, folder, lastMs, operations = [] }) {
    this.#recorder = recorder;
    this.#folder = folder;
    this.#lastMs = lastMs;
    this.#operations = operations;
  }

  /**
   * Prepares the measured time, which `begin` and `end` delimit: the recorder starts before it, so that it does not
   * include that. `endMs` is its planned length; Infinity: not known.
   * @type {(endMs: number) => Promise<void>}
   */
  async prepare(endMs) {
    this.#endMs = endMs;
    if (this.#isLate) return;
    this.#start();
    await settlesWithin(this.#recorder.begun(), BEGUN_MS);
  }

  begin() {
    if (this.#isLate) this.#cancelStart = clock.after(() => this.#start(), this.#endMs - this.#length);
    else this.#begunAt = performance.now();
  }

  /** Only the end of the run is recorded, and it is known when that begins. */
  get #isLate() {
    return this.#length < this.#endMs && this.#endMs < Infinity;
  }

  /** The time to record, ms; Infinity: until the end. */
  get #length() {
    return Math.min(this.#lastMs ?? Infinity, this.#endMs);
  }

  #start() {
    this.#begunAt = performance.now();
    this.#recorder.begin(this.#length);
  }

  end() {
    this.#cancelStart();
    if (this.#begunAt === null) return;
    this.#durationMs = performance.now() - this.#begunAt;
    this.#recorder.end();
  }

  /** The run is aborted: discard the recording. */
  cancel() {
    this.#cancelStart();
    this.#recorder.cancel();
  }

  /** Adds the profiles to the stats of the run. @type {(stats: Stats) => Promise<void>} */
  async result(stats) {
    const { profiles, notes } = await this.take();
    if (profiles.length > 0) stats.profiles = profiles;
    stats.validity.remarks = [...(stats.validity.remarks ?? []), ...notes];
  }

  /** Returns profiles, and notes for the validity. @type {() => Promise<{ profiles: Profile[], notes: Note[] }>} */
  async take() {
    if (this.#begunAt === null) return { profiles: [], notes: [lacking(['the run ended before the recording began'])] };
    const { recorded, lacks, files } = await this.#recorder.take();
    /** @type {Profile[]} */
    const profiles = [];
    for (const kind of PROFILE_KINDS) {
      const ofKind = recorded.filter((one) => one.kind === kind);
      if (ofKind.length > 0) profiles.push(...(await this.#read(ofKind, lacks)));
    }
    for (const { kind, file } of files) {
      const profile = profiles.find((one) => one.kind === kind);
      if (profile) profile.files = [...(profile.files ?? []), file];
    }
    const notes = profiles.length > 0 ? [profiledNote(profiles)] : [];
    return { profiles, notes: [...notes, ...(lacks.length > 0 ? [lacking(lacks)] : [])] };
  }

  /** @type {(recorded: Recorded[], lacks: string[]) => Promise<Profile[]>} */
  async #read(recorded, lacks) {
    const options = {
      folder: this.#folder,
      durationMs: this.#durationMs,
      operations: this.#operations,
      // The reader drops what is older; with a planned end, the recording has started late instead.
      ...(this.#endMs === Infinity && { lastMs: this.#lastMs }),
    };
    try {
      return [await readInThread(recorded, options)];
    } catch (error) {
      lacks.push(`the profile cannot be read: ${/** @type {Error} */ (error).message}`);
      return [];
    }
  }
}

/** @type {(profiles: Profile[]) => Note} */
function profiledNote(profiles) {
  const overhead = profiles.find((one) => one.overhead !== undefined)?.overhead;
  const cost = overhead === undefined ? '' : `, which took ${percent(overhead)} of its CPU time`;
  return {
    code: 'profiled',
    message: `the service was profiled meanwhile${cost}: compare its figures with those of profiled runs`,
  };
}

/** @type {(lacks: string[]) => Note} */
function lacking(lacks) {
  return { code: 'profileIncomplete', message: `profile: ${maskText(lacks.join('; '))}` };
}
