/** The line of an output with the error (node prints source lines above it), else the first. */
export function errorLine(text) {
  const lines = text.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0];
}
