import { isObject } from '../../flow/record.js';
import { HAR } from './har.js';
import { resolveLayers } from './layers.js';

/**
 * @import { RecordingOptions } from '../../flow/source/dialects/types.js'
 * @import { Problems } from '../../problems.js'
 * @import { Layer } from './layers.js'
 * @import { RunOptions } from './types.js'
 */

/**
 * The options that decide what of a recording is sent. They are needed when it is read, before a flow could set them.
 *
 * @param {Layer[]} layers those that do not come from the flow, weakest first
 * @returns {RecordingOptions}
 */
export function recordingOptions(layers) {
  const { harCookies, harTiming, baseUrl, headers, user } = resolveLayers([
    { name: 'default', options: {} },
    ...layers,
  ]).options;
  return {
    cookies: harCookies === true,
    timing: harTiming === true,
    ...(typeof baseUrl === 'string' && { baseUrl }),
    headers: [...Object.keys(isObject(headers) ? headers : {}), ...(user === undefined ? [] : ['authorization'])],
  };
}

/**
 * Refuses options of recordings for another flow, where they have no effect.
 *
 * @param {Partial<RunOptions>} options
 * @param {boolean} isRecording
 * @param {Problems} problems
 */
export function checkRecordingOptions(options, isRecording, problems) {
  if (isRecording) return;
  for (const { name } of HAR) {
    if (options[/** @type {'harCookies'} */ (name)])
      problems.add(`runOptions.${name}`, 'is an option of recordings: the flow is no .har file');
  }
}
