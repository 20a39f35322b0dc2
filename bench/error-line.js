/** The line of an output that names the error (node shows source lines above it), else the first. */
export function tellingLine(text) {
  const lines = text.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0];
}
