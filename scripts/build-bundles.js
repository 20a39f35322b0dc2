import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { build, transform } from 'esbuild';
import { rollup } from 'rollup';

import { ENTRIES } from './entries.js';

/**
 * Bundles the modules of the package, as it costs more to load a module than to run it. Each module is in one bundle, so
 * there is one instance of it. What add-ons of other packages use is in `door`, as they are joined before a table is made.
 * What a plain run loads is in `base` of both threads, `command`, `run` and `thread`; a program loads `base`, `run` and
 * `program`, and a help `help`. The others are joined by folder, small ones as one, and loaded when one is used.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORDER = new URL('../test/support/record-modules.js', import.meta.url).href;
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Packages that every run loads: they become part of the bundles. */
export const INSIDE = ['commander', 'fast-string-width', 'measured-core', 'p-limit'];
const OUTSIDE = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !INSIDE.includes(name));

const COMMAND = 'bin/bench-rest.js';
const FACTS = 'lib/addons.js';
const FACTS_OF_COMMAND = 'lib/addons-of-command.js';
/** Other modules that are loaded by their URL: roots of add-ons, and hooks of the loader of Node. */
const BY_URL = [FACTS, FACTS_OF_COMMAND, 'lib/core/process/module-kind.js', 'lib/core/process/own-package.js'];

/** How a module starts another one: by its URL, or its own. */
const STARTS = /\bnew URL\((?:'([^':]+\.js)', )?import\.meta\.url\)/g;
/** How a module loads another one when it needs it. */
const LATER = /(?<![\w.{]|typeof )(requireHere|import)\(\s*'(\.[^']+)',?\s*\)/g;
/** How the facts of add-ons load what each program needs at once. */
const NOW = /\bisFile\s*\?\s*requireHere\('(\.[^']+)'\)\s*:\s*require\('[^']+'\)/g;
const STATIC = /^(?:import|export)\s(?:[\w\s{},*$]*?from )?'([^']+)';$/gm;
/** The module that loads all modules of a group. */
const GROUP = 'group:';
const BASE = 'base';
/** What comes before all tables: the version, what add-ons of other packages import, and what joins them. */
const DOOR = 'door';
const OF_DOOR = [
  'lib/addon.js',
  'lib/core/cli/named-addons.js',
  'lib/core/cli/version.js',
  'lib/core/process/compile-cache.js',
];
/** Their source maps are files, which only stacks and debuggers read; the others contain theirs. */
const WITH_MAP = ['base', 'command', 'door', 'run'];
/**
 * Folders with less source text than this are joined, characters. If more were, small ones would be in a cycle with large
 * ones, and so in one bundle.
 */
const SMALL = { '': 12_000, '-required': 30_000 };

/** Without comments, in lines that stacks can point to. */
const TEXT = /** @type {const} */ ({
  target: 'node20',
  charset: 'ascii',
  legalComments: 'none',
  minifyWhitespace: true,
  lineLimit: 120,
});

/** @typedef {Map<string, string>} Sources the text of each module, by its path in the package */
/** @typedef {Map<string, string>} Groups the name of the bundle of each module, by its path */
/** @typedef {Record<'command' | 'run' | 'program' | 'help', Set<string>>} Loaded what these load, in order */

/** Writes the bundles to a folder. @type {(folder: string) => Promise<void>} */
export async function buildBundles(folder) {
  const sources = readSources();
  const loaded = await loadedModules();
  const groups = groupsOf(sources, loaded);
  const bundle = await rollup({
    input: [...ENTRIES.map(({ source }) => source), COMMAND, ...startedIn(sources), ...BY_URL].map((path) =>
      join(ROOT, path),
    ),
    external: (id) => /^node:|\.cjs$/.test(id) || OUTSIDE.some((name) => isOf(id, name)),
    treeshake: false,
    preserveEntrySignatures: 'strict',
    plugins: [grouped(sources, groups, [...loaded.run])],
    onwarn({ code, message }) {
      if (code !== 'CIRCULAR_DEPENDENCY') throw new Error(message);
    },
  });
  await bundle.write({
    dir: folder,
    format: 'es',
    sourcemap: true,
    sourcemapPathTransform: (path, map) => relative(join(map, '..'), join(folder, pathOf(join(map, '..', path)))),
    hoistTransitiveImports: false,
    entryFileNames: ({ facadeModuleId }) => pathOf(String(facadeModuleId)),
    chunkFileNames: 'lib/[name].js',
    manualChunks: (id) => (id.startsWith(GROUP) ? id.slice(GROUP.length) : groups.get(isInside(id) ? id : pathOf(id))),
  });
  await bundle.close();
}

/** @type {(id: string) => string} */
function pathOf(id) {
  return relative(ROOT, id).replaceAll('\\', '/');
}

/** @type {(id: string, name: string) => boolean} */
function isOf(id, name) {
  return id === name || id.startsWith(`${name}/`);
}

/** @type {(id: string) => boolean} */
function isInside(id) {
  return INSIDE.some((name) => isOf(id, name));
}

/** Returns the modules of the package, without those that pages have as text. @returns {Sources} */
function readSources() {
  const names = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith('.js')).map((name) => `lib/${name.replaceAll('\\', '/')}`);
  const own = ['index.js', COMMAND, ...paths.filter((path) => !path.startsWith('lib/addons/page/client/'))];
  return new Map(own.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** Runs the sources. @type {() => Promise<Loaded>} */
async function loadedModules() {
  const server = createServer((_, response) => response.end('ok'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;
  const entry = pathToFileURL(join(ROOT, 'index.js')).href;
  const program = `import run from '${entry}'; await run('${url}', { iterations: 1, limit: 1 });`;
  try {
    const small = await recorded([COMMAND, '-n', '1', url]);
    const { main, thread: run } = await recorded([COMMAND, '-n', '1k', url]);
    const own = await recorded(['--input-type=module', '-e', program]);
    const { main: help } = await recorded([COMMAND, '--help']);
    const ofSmall = [...small.main].filter((path) => !run.has(path));
    return { command: new Set([...main, ...ofSmall]), run, program: own.main, help };
  } finally {
    server.close();
  }
}

/** @type {(args: string[]) => Promise<{ main: Set<string>, thread: Set<string> }>} */
async function recorded(args) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  const RECORD_MODULES = join(folder, 'modules');
  try {
    const env = { ...process.env, NODE_OPTIONS: '', RECORD_MODULES };
    await promisify(execFile)(process.execPath, ['--import', RECORDER, ...args], { cwd: ROOT, env });
    const lines = readFileSync(RECORD_MODULES, 'utf8').split('\n');
    const ofThread = (/** @type {string} */ thread) => {
      const start = `${thread} ${pathToFileURL(ROOT).href}`;
      return new Set(lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length)));
    };
    return { main: ofThread('main'), thread: ofThread('thread') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @type {(sources: Sources, loaded: Loaded) => Groups} */
function groupsOf(sources, { command, run, program, help }) {
  const isLoaded = (/** @type {string} */ path) => command.has(path) || run.has(path);
  const withImports = (/** @type {string[]} */ paths) => new Set(paths.flatMap((path) => [...reached(path, sources)]));
  const loadedNow = loadedBy(NOW, sources);
  const loadedLater = loadedBy(LATER, sources, 'requireHere');
  // A bundle of a program has these, and not what it would have to require.
  const now = withImports([...loadedNow, ...loadedLater].filter(isLoaded));
  const required = withImports(loadedLater);
  const door = withImports(OF_DOOR);
  // The bundle of a program has all of these, and must not need the packages of commands.
  const ofPrograms = everything(sources);
  const named = new Map([[FACTS_OF_COMMAND, 'facts-of-command'], ...Array.from(door, (path) => [path, DOOR])]);
  // What an entry of the package loads at once has no page beside it, whose files a bundle of a program lacks.
  const entries = ENTRIES.map(({ source }) => ({
    name: `entry-${posix.basename(source, '.js')}`,
    all: reached(source, sources),
  }));
  /** @type {(path: string) => string | undefined} */
  const atStart = (path) => {
    if (now.has(path) || (command.has(path) && (run.has(path) || program.has(path)))) return BASE;
    if (command.has(path)) return 'command';
    if (run.has(path)) return program.has(path) ? 'run' : 'thread';
    if (loadedNow.includes(path)) return posix.basename(path, '.js');
    if (program.has(path)) return 'program';
    if (help.has(path)) {
      const isShared = path.startsWith('lib/core/') || ofPrograms.has(path);
      return [isShared ? 'help-base' : 'help', ...(required.has(path) ? ['required'] : [])].join('-');
    }
    return undefined;
  };
  /** @type {(path: string) => string} */
  const groupOf = (path) => {
    const own = named.get(path) ?? atStart(path);
    if (own !== undefined) return own;
    const entry = entries.find(({ all }) => all.has(path));
    if (entry && !required.has(path)) return entry.name;
    const [, room, folder] = path.split('/');
    const packages = [...reached(path, sources)].filter((name) => OUTSIDE.some((one) => isOf(name, one)));
    // What imports modules of a help is in no bundle of a program.
    const isOfCommand = !ofPrograms.has(path) && [...reached(path, sources)].some((one) => atStart(one) === 'help');
    const name = folder ? [room, isOfCommand ? 'command' : folder] : [posix.basename(path, '.js')];
    // A group that is required must not be in evaluation, as one with all of its folder could be.
    return [
      ...name,
      ...(required.has(path) ? ['required'] : []),
      ...packages.map((one) => posix.basename(one)).sort(),
    ].join('-');
  };
  const started = startedIn(sources);
  const own = [...sources.keys()].filter((path) => path.startsWith('lib/') && !started.has(path));
  const groups = new Map(own.map((path) => [path, groupOf(path)]));
  for (const [path, group] of [...groups].filter(([one]) => isLoaded(one)))
    for (const name of importsOf(path, sources).filter(isInside))
      groups.set(name, [group, undefined].includes(groups.get(name)) ? group : BASE);
  for (const name of door) if (isInside(name)) groups.set(name, DOOR);
  joinSmall(sources, groups, ofPrograms);
  joinCycles(sources, groups);
  return groups;
}

/** Makes one group of the small ones of add-ons that need no package. @type {(sources: Sources, groups: Groups, ofPrograms: Set<string>) => void} */
function joinSmall(sources, groups, ofPrograms) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const [path, group] of groups) sizes.set(group, (sizes.get(group) ?? 0) + (sources.get(path) ?? '').length);
  for (const [path, group] of groups) {
    const way = group.endsWith('-required') ? '-required' : '';
    const isWhole = group === `addons-${path.split('/')[2]}${way}`;
    if (isWhole && (way || !ofPrograms.has(path)) && (sizes.get(group) ?? 0) < SMALL[way])
      groups.set(path, `addons-small${way}`);
  }
}

/**
 * Returns the entries of threads and processes, which run when they are loaded: each is a file of its own.
 * @type {(sources: Sources) => Set<string>}
 */
function startedIn(sources) {
  const paths = [...sources].flatMap(([path, text]) =>
    Array.from(text.matchAll(STARTS), ([, name]) =>
      name === undefined ? path : posix.join(posix.dirname(path), name),
    ),
  );
  return new Set(paths.filter((path) => sources.has(path)));
}

/**
 * Returns what the modules load in a way.
 * @type {(pattern: RegExp, sources: Sources, way?: string) => string[]}
 */
function loadedBy(pattern, sources, way = '') {
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(pattern)].filter(([all]) => all.includes(way)).map((match) => from(path, match.at(-1) ?? '')),
  );
}

/** @type {(path: string, name: string) => string} */
function from(path, name) {
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
}

/** @type {(path: string, sources: Sources) => string[]} */
function importsOf(path, sources) {
  return Array.from((sources.get(path) ?? '').matchAll(STATIC), ([, name]) => from(path, name));
}

/** Returns what the entries load, at once or later. @type {(sources: Sources) => Set<string>} */
function everything(sources) {
  const all = new Set(ENTRIES.map(({ source }) => source));
  for (const path of all) {
    const own = new Map([[path, sources.get(path) ?? '']]);
    for (const name of [...importsOf(path, own), ...loadedBy(LATER, own), ...loadedBy(NOW, own)]) all.add(name);
  }
  return all;
}

/** Returns a module with all that its evaluation needs. @type {(path: string, sources: Sources) => Set<string>} */
function reached(path, sources) {
  const all = new Set([path]);
  // a set also visits what is added meanwhile
  for (const one of all) for (const name of importsOf(one, sources)) all.add(name);
  return all;
}

/**
 * Makes one group of those that import each other: its modules are evaluated in the order of their imports.
 * @type {(sources: Sources, groups: Groups) => void}
 */
function joinCycles(sources, groups) {
  /** @type {Map<string, Set<string>>} */
  const imported = new Map([...groups.values()].map((group) => [group, new Set([group])]));
  for (const [path, group] of groups)
    for (const name of importsOf(path, sources)) {
      const other = groups.get(name);
      if (other) imported.get(group)?.add(other);
    }
  for (const all of imported.values())
    for (const one of all) for (const other of imported.get(one) ?? []) all.add(other);
  for (const [path, group] of groups) {
    const circle = [...(imported.get(group) ?? [])].filter((one) => imported.get(one)?.has(group));
    groups.set(path, circle.sort()[0]);
  }
}

/**
 * The plugin that makes the groups. Each of them exports its modules that are loaded later, as namespaces.
 * @type {(sources: Sources, groups: Groups, order: string[]) => import('rollup').Plugin}
 */
function grouped(sources, groups, order) {
  /** @type {Map<string, Set<string>>} */
  const later = new Map();
  for (const path of loadedBy(LATER, sources)) {
    const group = groups.get(path);
    if (group) later.set(group, (later.get(group) ?? new Set()).add(path));
  }
  const place = (/** @type {string} */ path) => (order.includes(path) ? order.indexOf(path) : order.length);
  /** The facts come before the tables that are made of them, and what these load when they are made, in its order. */
  const modulesOf = (/** @type {string} */ group) => [
    ...(group === BASE ? [FACTS] : []),
    ...[...(later.get(group) ?? [])].sort((one, other) => place(one) - place(other)),
  ];
  return {
    name: 'groups',
    buildStart() {
      for (const name of later.keys())
        this.emitFile({
          type: 'chunk',
          id: GROUP + name,
          fileName: `lib/${name}.js`,
          preserveSignature: 'allow-extension',
        });
    },
    resolveId(id, importer) {
      if (importer && from(pathOf(importer), id) === FACTS && !importer.startsWith(GROUP)) return GROUP + BASE;
      return id.startsWith(GROUP) || isInside(id) ? id : null;
    },
    load(id) {
      if (isInside(id)) return packageModule(id);
      // A schema of the package becomes part of what reads documents by it.
      if (id.endsWith('.json')) return `export default ${readFileSync(id, 'utf8')}`;
      if (!id.startsWith(GROUP)) return null;
      const exports = modulesOf(id.slice(GROUP.length)).map(
        (path) => `export * as ${nameOf(path)} from ${JSON.stringify(join(ROOT, path))};`,
      );
      return exports.join('\n');
    },
    renderChunk: (code) => ({ code: withBuiltins(code), map: null }),
    transform(code, id) {
      const path = pathOf(id);
      if (!sources.has(path)) return null;
      const text = groups.has(path) ? withUrl(inGroup(code, path, groups), path) : inGroup(code, path, groups);
      return transform(text, { ...TEXT, sourcefile: id, sourcemap: true, sourcesContent: true });
    },
    generateBundle(_, files) {
      for (const [name, file] of Object.entries(files)) {
        if (file.type !== 'chunk' || WITH_MAP.includes(posix.basename(name, '.js'))) continue;
        const hasMap = name.startsWith('lib/') && file.map?.mappings.replaceAll(';', '');
        const comment = hasMap ? `//# sourceMappingURL=${file.map?.toUrl()}\n` : '';
        file.code = file.code.replace(/^\/\/# sourceMappingURL=.*\n?/m, () => comment);
        delete files[`${name}.map`];
      }
    },
  };
}

/** The name of a module in the exports of its group. @type {(path: string) => string} */
function nameOf(path) {
  return path.replace(/^lib\/|\.js$/g, '').replace(/\W/g, '_');
}

/**
 * Commander starts programs for commands that are files, of which there are none here: a tenth of the time that it
 * takes to load is that of `node:child_process`.
 * @type {import('esbuild').Plugin}
 */
const LATE_PROCESSES = {
  name: 'late processes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, () => ({ path: 'late', namespace: 'processes' }));
    const contents = `exports.spawn = (...all) => process.getBuiltinModule('node:child_process').spawn(...all);`;
    onLoad({ filter: /^late$/, namespace: 'processes' }, () => ({ contents }));
  },
};

/** A package as one module, without those that it imports. @type {(id: string) => Promise<string>} */
async function packageModule(id) {
  const { outputFiles } = await build({
    entryPoints: [id],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    ...TEXT,
    plugins: [LATE_PROCESSES],
  });
  const [{ text }] = outputFiles;
  const require = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";
  return text.includes('__require(') ? require + text : text;
}

/** Where a module loads another one, it loads the group of that. @type {(code: string, path: string, groups: Groups) => string} */
function inGroup(code, path, groups) {
  /** Those that are loaded before any other: a module of them is imported. @type {Map<string, string>} */
  const now = new Map();
  const imported = (/** @type {string} */ other) => {
    now.set(nameOf(other), String(groups.get(other)));
    return `now_${nameOf(other)}`;
  };
  const text = code
    .replace(NOW, (_, name) => {
      const other = from(path, name);
      const group = groups.get(other);
      if (group === BASE || group === DOOR) return imported(other);
      return ['isFile ? requireHere', 'require'].map((way) => `${way}('./${group}.js').${nameOf(other)}`).join(' : ');
    })
    .replace(LATER, (all, way, name) => {
      const other = from(path, name);
      const group = groups.get(other);
      if (!group) return all;
      if (way === 'requireHere' && group === BASE) return imported(other);
      if (way === 'import') return `import('${GROUP}${group}').then((group) => group.${nameOf(other)})`;
      return `requireHere('${pathBetween(posix.dirname(path), `lib/${group}.js`)}').${nameOf(other)}`;
    });
  const imports = Array.from(now, ([name, group]) => `import { ${name} as now_${name} } from '${GROUP}${group}';`);
  return imports.join('') + text;
}

/** The line in which a module makes its `requireHere`. */
const OWN_REQUIRE = /^const requireHere = createRequire\(import\.meta\.url\);$/m;

/**
 * A module keeps the URL of its source, beside which are the files that it reads. Thirty modules have a `requireHere`,
 * and a run uses few of them: each is made at its first use.
 * @type {(code: string, path: string) => string}
 */
function withUrl(code, path) {
  const url = `new URL('${pathBetween('lib', path)}', import.meta.url)`;
  const late = `let ownRequire; const requireHere = (id) => (ownRequire ??= createRequire(${url}))(id);`;
  const parts = code.includes('requireHere.') ? [code] : code.split(OWN_REQUIRE);
  const named = parts.map((part) => part.replace(/\bimport\.meta\.url\b/g, 'ownUrl')).join(late);
  return parts.join('').includes('import.meta.url') ? `const ownUrl = ${url}.href;${named}` : named;
}

/**
 * Takes modules of Node as they are: an import would make a module of each, with all its exports, which is a twentieth of
 * a start. The lines stay.
 * @type {(code: string) => string}
 */
function withBuiltins(code) {
  const imports = /^import (?:(?:\* as )?([\w$]+))?(?:, )?(\{[^}]*\})?(?: from )?'(node:[^']+)';/gm;
  return code.replace(imports, (_, whole, names, id) => {
    const module = `globalThis.process.getBuiltinModule('${id}')`;
    const all = whole ? [`${whole} = ${module}`] : [];
    if (names) all.push(`${names.replaceAll(' as ', ': ')} = ${whole ?? module}`);
    return all.length > 0 ? `const ${all.join(', ')};` : '';
  });
}

/** @type {(folder: string, path: string) => string} */
function pathBetween(folder, path) {
  return posix.relative(folder, path).replace(/^(?!\.)/, './');
}
