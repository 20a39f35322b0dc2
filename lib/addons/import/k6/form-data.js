import { defineHidden } from './collections.js';
import { changed } from './lists.js';
import { isStructure, Native, object, sym } from './values.js';

/** @import { Value } from './values.js' */

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
        append: new Native('append', ([name, value], _, run) => {
          const isFile = isStructure(value) && 'data' in value;
          const upload = isFile && { data: value.data, filename: value.filename, contentType: value.content_type };
          return void changed(run, fields, 'push', [[name, upload ? object({ upload }) : value]]);
        }),
        body: new Native('body', (_, node) => sym('multipart', { fields: [...fields], node })),
      });
    }),
  };
}
