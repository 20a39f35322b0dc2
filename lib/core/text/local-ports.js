/** An address of this machine with a port from 32768 on. */
const LOCAL =
  /(?<![\w.-])(127(?:\.\d{1,3}){3}|localhost|0\.0\.0\.0|\[::1?\]):(?:3276[89]|327[7-9]\d|32[89]\d\d|3[3-9]\d{3}|[4-6]\d{4})\b/g;

/** Removes ports from 32768 on, which a server of this machine gets at random. @type {(text: string) => string} */
export function withoutPorts(text) {
  return text.replace(LOCAL, '$1');
}
