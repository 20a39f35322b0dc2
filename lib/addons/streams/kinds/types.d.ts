import type { BodyAccount } from '../../../core/process/body-memory.js';

/** Types that files of lib/addons/streams/kinds share. */

export interface ParserOptions {
  /** called with the parser, whose properties are those of the event */
  onEvent: (event: EventParser) => void;
  /** an event with more is an error */
  maxEventBytes: number;
  /** false: events are counted, and their data is not read */
  keeps: boolean;
  /** counts the memory of events that arrive in several pieces */
  account?: BodyAccount;
  /** that of the connection before, which a stream of Server-Sent Events continues */
  lastEventId?: string;
}

/** Splits a stream into events. */
export interface EventParser {
  /**
   * Reads a piece, which may be overwritten afterwards. Throws E_EVENT_TOO_LARGE, E_BODY_MEMORY, and what `onEvent`
   * throws.
   */
  feed: (bytes: Buffer, from: number, to: number) => void;
  /** The stream ends: what follows the last separator may be an event. */
  end: () => void;
  /** Discards an event that is not complete. */
  release: () => void;
  /** of the event: `message` unless the stream names another one */
  readonly type: string;
  readonly data: string;
  /** of Server-Sent Events; empty in all others */
  readonly lastEventId: string;
  /** that the server asks for before a reconnection, perhaps on an earlier connection; null: it does not */
  retryMs: number | null;
  /** set within `onEvent`: no event of the piece follows */
  isStopped: boolean;
}
