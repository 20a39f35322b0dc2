import { defineHidden } from './collections.js';
import { changed } from './lists.js';
import { isText as isKnownText } from './texts.js';
import { isLost, isStructure, Native, object, sym, unknown } from './values.js';

/** @import { Node, Value } from './values.js' */

/** The type of a part that names none. */
export const PART_TYPE = 'application/octet-stream';

/**
 * `FormData` of jslib.k6.io/formdata: its body is `formData` of the flow.
 * @type {() => Record<string, Native>}
 */
export function ofFormData() {
  return {
    FormData: new Native('FormData', () => {
      /** @type {Value[][]} */
      const fields = [];
      return defineHidden(object(), {
        '[[fields]]': fields,
        boundary: sym('boundary'),
        append: new Native('append', ([name, value], node, run) => {
          run.memory.readsWhole([fields]);
          return void changed(run, fields, 'push', [[name, partOf(name, value, node)]]);
        }),
        body: new Native('body', (_, node, run) => {
          run.memory.readsWhole([fields]);
          return sym('multipart', { fields: isGrouped(fields) ? [...fields] : undefined, node });
        }),
      });
    }),
  };
}

/**
 * A part as a file of the flow; unknown: the library writes it in another way than a flow.
 * @type {(name: Value, value: Value, node: Node) => Value}
 */
function partOf(name, value, node) {
  if (typeof name !== 'string' || /["\r\n]/.test(name)) return unknown(node, 'the name of its part is not known');
  const isFile = isStructure(value) && 'data' in value;
  const { data, filename, content_type: contentType = PART_TYPE } = isFile ? value : { data: value };
  // its characters are bytes, and a value that is no text is an empty part
  const isText = typeof data === 'string' ? !/[^\0-\x7f]/.test(data) : isKnownText(data);
  const isOther = !isText && data?.type !== 'file';
  if (isOther || (isFile && filename === undefined)) return unknown(node, 'this part is written in another way');
  return object({ upload: { data, filename, contentType } });
}

/** Reports whether parts of one name are one after the other. @type {(fields: Value[][]) => boolean} */
function isGrouped(fields) {
  if (isLost(fields) || !fields.every(Array.isArray)) return false;
  const names = fields.map(([name]) => name);
  return names.every((name, i) => i === 0 || name === names[i - 1] || !names.slice(0, i).includes(name));
}
