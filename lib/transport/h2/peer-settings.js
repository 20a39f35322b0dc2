import { connectionError } from './frame-reader.js';
import {
  ENABLE_PUSH,
  FRAME_BYTES,
  HEADER_TABLE_SIZE,
  INITIAL_WINDOW_SIZE,
  MAX_CONCURRENT_STREAMS,
  MAX_FRAME_SIZE,
  MAX_WINDOW,
} from './frames.js';

/** @import { RequestWriter } from './request-writer.js' */

/** RFC 9113 6.5.2 */
const MAX_FRAME_BYTES = 2 ** 24 - 1;

/**
 * Applies the settings of a server to the writer (RFC 9113 6.5.2), and returns how many streams it accepts; null: the
 * settings do not change that.
 * @throws {Error} E_HTTP2
 * @type {(payload: Buffer, writer: Pick<RequestWriter, 'setTableSize' | 'setStreamWindow' | 'setMaxFrame'>) => number |
 *   null}
 */
export function applySettings(payload, writer) {
  let maxStreams = null;
  for (let at = 0; at < payload.length; at += 6) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case HEADER_TABLE_SIZE:
        writer.setTableSize(value);
        break;
      case ENABLE_PUSH:
        if (value !== 0) throw connectionError('PROTOCOL_ERROR', 'the setting ENABLE_PUSH of a server');
        break;
      case MAX_CONCURRENT_STREAMS:
        maxStreams = value;
        break;
      case INITIAL_WINDOW_SIZE:
        if (value > MAX_WINDOW || !writer.setStreamWindow(value))
          throw connectionError('FLOW_CONTROL_ERROR', 'a window of more than 2^31 - 1 bytes');
        break;
      case MAX_FRAME_SIZE:
        if (value < FRAME_BYTES || value > MAX_FRAME_BYTES)
          throw connectionError('PROTOCOL_ERROR', `the setting MAX_FRAME_SIZE with ${value}`);
        writer.setMaxFrame(value);
    }
  }
  return maxStreams;
}
