/**
 * Adds a field as node:http does: names in lower case, repeated fields joined by a comma, set-cookie as a list.
 *
 * @param {Record<string, any>} headers without a prototype
 * @param {string} name
 * @param {string} value
 */
export function addField(headers, name, value) {
  const key = name.toLowerCase();
  const text = withoutSpace(value);
  if (key === 'set-cookie') (headers[key] ??= []).push(text);
  else headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
}

/** Without the spaces and tabs around it (OWS, RFC 9110 5.6.3); `trim` would take off NBSP too. @type {(text: string) => string} */
export function withoutSpace(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** @type {(code: number) => boolean} */
function isSpace(code) {
  return code === 0x20 || code === 0x09;
}
