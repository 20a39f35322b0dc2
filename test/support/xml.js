const TAG =
  /<(\/?)([A-Za-z][\w.:-]*)((?:\s+[A-Za-z][\w.:-]*="[^"<]*")*)\s*(\/?)>|<\?xml [^?]*\?>|<!--(?:[^-]|-[^-])*-->/y;
const TEXT = /[^<]*/y;
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);/gi;
// the characters of XML 1.0, 2.2
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Throws unless a text is well-formed XML without a document type: one root, nested elements, quoted and unique
 * attributes, no bare `&` or `<`, no `]]>`, no forbidden characters. Returns the names of its elements.
 */
export function elementsOfXml(xml) {
  const fail = (problem, at) => {
    throw new Error(`${problem} at ${at}: ${xml.slice(at, at + 60)}`);
  };
  const forbidden = FORBIDDEN.exec(xml);
  if (forbidden) fail('a forbidden character', forbidden.index);
  const names = [];
  const open = [];
  let roots = 0;
  for (let at = 0; at < xml.length;) {
    TEXT.lastIndex = at;
    const [text] = TEXT.exec(xml);
    if (open.length === 0 && text.trim() !== '') fail('text outside of the root', at);
    if (/&|]]>/.test(text.replace(REFERENCE, ''))) fail('a bare & or ]]>', at);
    at += text.length;
    if (at === xml.length) break;
    TAG.lastIndex = at;
    const match = TAG.exec(xml);
    if (!match) fail('no tag', at);
    const [whole, isEnd, name, attributes = '', isEmpty] = match;
    if (name !== undefined) {
      const keys = [...attributes.matchAll(/([\w.:-]+)="([^"]*)"/g)];
      if (new Set(keys.map(([, key]) => key)).size < keys.length) fail('an attribute twice', at);
      if (keys.some(([, , value]) => value.replace(REFERENCE, '').includes('&'))) fail('a bare &', at);
      if (isEnd) {
        if (open.pop() !== name) fail('a wrong end', at);
      } else {
        if (open.length === 0) roots++;
        names.push(name);
        if (!isEmpty) open.push(name);
      }
    }
    at += whole.length;
  }
  if (open.length > 0 || roots !== 1) throw new Error(`${open.length} elements are open, ${roots} roots`);
  return names;
}
