/** A CPU profile of V8 from stacks, each with its time in ms: `'handler@app.js:3;JSON.stringify'`. */
export function cpuProfile(stacks, { folder = '/srv' } = {}) {
  const nodes = [{ id: 1, callFrame: callFrame('(root)', ''), children: [] }];
  const ids = new Map();
  const samples = [];
  const timeDeltas = [];
  let rest = 0;
  for (const [stack, ms] of Object.entries(stacks)) {
    let at = nodes[0];
    let key = '';
    for (const part of stack.split(';')) {
      key += `;${part}`;
      if (!ids.has(key)) {
        const [name, place = ''] = part.split('@');
        const node = { id: nodes.length + 1, callFrame: callFrame(name, place, folder), children: [] };
        nodes.push(node);
        ids.set(key, node);
        at.children.push(node.id);
      }
      at = ids.get(key);
    }
    samples.push(at.id);
    timeDeltas.push(rest);
    rest = ms * 1000;
  }
  const endTime = timeDeltas.reduce((sum, one) => sum + one, 0) + rest;
  return { nodes, startTime: 0, endTime, samples, timeDeltas };
}

function callFrame(functionName, place, folder) {
  const [file, line = '0'] = place.split(':');
  const isOwn = file !== '' && file !== 'node';
  const url = isOwn ? `file://${folder}/${file}` : place.startsWith('node') ? 'node:internal/x' : '';
  return { functionName, url, scriptId: '0', lineNumber: Number(line) - 1, columnNumber: 0 };
}

export const bytesOf = (profile) => Buffer.from(JSON.stringify(profile));

export function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
