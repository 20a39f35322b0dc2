import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import '../lib/addons-of-command.js';
import { countCapabilities } from '../scripts/lint/capabilities.js';
import { namesIn, namesOfAddons } from '../scripts/lint/names-of-addons.js';
import { namesakesIn } from '../scripts/lint/type-names.js';
import { ROOT } from './support/command.js';

/** The lines of the core that name a capability. They may only become fewer: then lower the number. */
const LINES = {
  ofAddons: {
    ...{ streams: 7, agents: 8, http2: 0, websocket: 7, profile: 5, log: 44, grpc: 0, graphql: 1, llm: 0 },
    ...{ kubernetes: 1, mcp: 0, har: 0, tools: 0, history: 2, export: 0 },
  },
  // of the core itself: at most as many
  ofCore: { workers: 232, loads: 215, shards: 93 },
};

describe('capabilities in the core', () => {
  it('are named on as many lines as noted, of add-ons on at most 150', () => {
    const { ofAddons, ofCore } = countCapabilities(ROOT);
    expect(ofAddons, 'fewer: lower the number; more: move it to its add-on').to.deep.equal(LINES.ofAddons);
    for (const [name, lines] of Object.entries(LINES.ofCore)) expect(ofCore[name], name).to.be.at.most(lines);
    expect(Object.values(ofAddons).reduce((sum, one) => sum + one)).to.be.at.most(150);
  });

  it('no message or help of the core names a flag, a property or a command that only an add-on has', async () => {
    const names = await namesOfAddons();
    expect(names.flags).to.include.members(['--serve', '--retry-after', '-F', '--log']);
    expect(names.properties).to.include.members(['stream', 'graphql', 'http2']);
    expect(names.commands).to.include.members(['serve', 'ab', 'merge', 'list']);
    const core = join(ROOT, 'lib/core');
    const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
    const found = files.flatMap((path) =>
      namesIn(readFileSync(join(core, path), 'utf8'), names).map(({ line, name }) => `${path}:${line} ${name}`),
    );
    expect(found, 'offer it as a row of hints, cures or errorHints').to.deep.equal([]);
  });

  it('a name is found in a flag, a command and an operation', () => {
    const names = { flags: ['--log', '-F'], properties: ['stream'], commands: ['merge'] };
    const text = "const a = 'use --log, or bench-rest merge'; const b = `write stream: 'sse' ${a} -F`; // --log";
    expect(namesIn(text, names).map(({ name }) => name)).to.deep.equal(['--log', 'merge', 'stream', '-F']);
    expect(namesIn("'--logs, bench-rest merger, streams, in a stream: 5'", names)).to.deep.equal([]);
  });
});

describe('types of the core', () => {
  /** What users know by the name, and what the core makes of it. */
  const PUBLISHED = ['Operation', 'RunOptions', 'Scope'];

  it('have names of their own, but for classes of a contract and published types', () => {
    const found = namesakesIn(join(ROOT, 'lib/core')).filter(([name]) => !PUBLISHED.includes(name));
    expect(found, 'rename one: see the terms of docs/internals/architecture.md').to.deep.equal([]);
  });
});
