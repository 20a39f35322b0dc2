import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/**
 * The names that only add-ons have, and where strings of the core say them: without the add-on a hint would name what
 * there is not.
 */

/** @typedef {Record<'flags' | 'properties' | 'commands', string[]>} Names */

/** Names of this process: those of all add-ons that are joined, and of the core. @type {() => Promise<Names>} */
async function namesHere() {
  // one after the other: an add-on is loaded at once by the module that has its table
  const { RUN_OPTIONS } = await import('../../lib/core/run/options/index.js');
  const { PROPERTIES } = await import('../../lib/core/flow/properties.js');
  const { CHECKS } = await import('../../lib/core/flow/checks/index.js');
  const { COMMANDS } = await import('../../lib/core/cli/commands/index.js');
  const { offered } = await import('../../lib/core/ground/addons.js');
  const companions = offered('companions').flatMap(({ flags }) => flags());
  const rows = [...RUN_OPTIONS, ...companions, ...offered('previews'), ...offered('urlFlags')];
  const flags = rows.flatMap(({ flag = '', flags: text = flag }) => text.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? []);
  return {
    flags,
    properties: [...Object.keys(PROPERTIES), ...CHECKS.map(({ name }) => name)],
    commands: COMMANDS.map(({ name }) => name),
  };
}

/** Names that no part of the core has. @type {() => Promise<Names>} */
export async function namesOfAddons() {
  const core = /** @type {Names} */ (
    JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { encoding: 'utf8' }))
  );
  const all = await namesHere();
  const own = (/** @type {keyof Names} */ kind) => all[kind].filter((name) => !core[kind].includes(name));
  return { flags: own('flags'), properties: own('properties'), commands: own('commands') };
}

/**
 * Finds the names in the strings of a source, with their lines.
 * @type {(text: string, names: Names) => { line: number, name: string }[]}
 */
export function namesIn(text, { flags, properties, commands }) {
  /** @type {{ line: number, name: string }[]} */
  const found = [];
  const file = ts.createSourceFile('x.js', text, ts.ScriptTarget.Latest, true);
  visit(file);
  return found;

  /** @type {(node: ts.Node) => void} */
  function visit(node) {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      for (const name of namesInString(node.text)) found.push({ line: line + 1, name });
    }
    ts.forEachChild(node, visit);
  }

  /** @type {(string: string) => string[]} */
  function namesInString(string) {
    return [
      ...[...string.matchAll(/(?<![\w-])--?[a-zA-Z][\w-]*/g)]
        .map(([flag]) => flag)
        .filter((one) => flags.includes(one)),
      ...[...string.matchAll(/bench-rest (\w+)/g)]
        .map(([, command]) => command)
        .filter((one) => commands.includes(one)),
      // written as in a flow: `stream: 'sse'`
      ...[...string.matchAll(/(?:[{,] ?|write |^)(\w+): ['{[\d]/g)]
        .map(([, name]) => name)
        .filter((one) => properties.includes(one)),
    ];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(JSON.stringify(await namesHere()));
