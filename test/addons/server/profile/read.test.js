import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { MOST_NODES } from '../../../../lib/addons/server/profile/kinds.js';
import { hotSpots, packagesOf } from '../../../../lib/addons/server/profile/hottest.js';
import { MOST_BYTES, readProfiles } from '../../../../lib/addons/server/profile/read.js';
import { inFolder } from '../../../support/in-folder.js';
import { bytesOf, cpuProfile } from '../../../support/profiles.js';
import { itSlow } from '../../../support/slow.js';

const FOLDER = '/srv';

function read(bytes, options) {
  const all = [bytes].flat().map((one, i) => ({ name: `app.js (${i})`, bytes: one }));
  return readProfiles(all, { folder: FOLDER, durationMs: 1000, ...options });
}

const byName = ({ frames }) => Object.fromEntries(frames.map((frame) => [frame.name, frame]));

describe('profile of V8', () => {
  it('a function has the time of its samples, and the total that of its calls', () => {
    const profile = read(bytesOf(cpuProfile({ 'list@app.js:3': 10, 'list@app.js:3;stringify': 30, '(idle)': 60 })));
    expect(profile).to.include({ kind: 'cpu', unit: 'ms', total: 40, duration: 100 });
    expect(byName(profile)).to.deep.equal({
      list: { name: 'list', file: 'app.js', line: 3, column: 1, origin: 'own', self: 10, total: 40 },
      'JSON.stringify': { name: 'JSON.stringify', origin: 'native', self: 30, total: 30 },
    });
  });

  it('a byte order mark and a line end before JSON are ignored', () => {
    const json = JSON.stringify(cpuProfile({ 'list@app.js:3': 10 }));
    for (const before of ['\ufeff', '\n']) expect(read(Buffer.from(before + json)).total).to.equal(10);
  });

  it('recursion counts once', () => {
    const profile = read(bytesOf(cpuProfile({ 'walk@app.js:3;walk@app.js:3;walk@app.js:3': 30 })));
    expect(byName(profile).walk).to.include({ self: 30, total: 30 });
  });

  it('the last part alone has the samples of its time', () => {
    const bytes = bytesOf(cpuProfile({ 'early@app.js:1': 60, 'late@app.js:9': 40 }));
    const profile = read(bytes, { lastMs: 50 });
    expect(profile).to.include({ total: 50, duration: 50 });
    expect(byName(profile).early.self).to.equal(10);
  });

  it('the line with most of the samples is the hot one', () => {
    const recorded = cpuProfile({ 'list@app.js:3': 30 });
    recorded.nodes[1].positionTicks = [
      { line: 4, ticks: 1 },
      { line: 7, ticks: 9 },
    ];
    expect(byName(read(bytesOf(recorded))).list.hotLine).to.equal(7);
  });

  it('processes are added up, the busiest first', () => {
    const one = bytesOf(cpuProfile({ 'list@app.js:3': 10 }));
    const two = bytesOf(cpuProfile({ 'list@app.js:3': 30 }));
    const profile = read([one, two]);
    expect(profile.total).to.equal(40);
    expect(profile.tree.frames).to.have.length(1);
    expect(profile.processes).to.deep.equal([
      { name: 'app.js (1)', total: 30 },
      { name: 'app.js (0)', total: 10 },
    ]);
  });

  itSlow('of 30,000 nodes the result has those with most of the time', () => {
    const stacks = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`main@app.js:1;f${i % 10_000}@app.js:${i % 10_000};g${i}@a.js:1`, 1]),
    );
    const profile = read(bytesOf(cpuProfile(stacks)));
    expect(profile.tree.frames).to.have.length(MOST_NODES);
    expect(profile.total).to.equal(20_000);
    expect(profile.tree.self.reduce((sum, value) => sum + value, 0)).to.equal(20_000);
    profile.tree.parents.forEach((parent, i) => expect(parent).to.be.below(i));
    expect(byName(profile).main.total).to.equal(20_000);
  });

  it('a stack of 1,000 calls keeps its beginning', () => {
    const deep = Array.from({ length: 1000 }, (_, i) => `f${i}@app.js:${i + 1}`).join(';');
    const profile = read(bytesOf(cpuProfile({ [deep]: 10 })));
    expect(profile.tree.frames).to.have.length(256);
    expect(profile.tree.self.at(-1)).to.equal(10);
  });

  it('calls that are a circle end', () => {
    const recorded = cpuProfile({ 'list@app.js:3;map@app.js:9': 10 });
    recorded.nodes[2].children = [2, 1];
    expect(read(bytesOf(recorded)).total).to.be.at.most(10);
  });

  it('allocations are bytes', () => {
    const callFrame = (functionName, url = '') => ({ functionName, url, lineNumber: 4, columnNumber: 2 });
    const leaf = { callFrame: callFrame('copy', 'file:///srv/app.js'), selfSize: 2000, children: [] };
    const head = { callFrame: callFrame('(root)'), selfSize: 0, children: [leaf] };
    const profile = read(bytesOf({ head, samples: [] }));
    expect(profile).to.include({ kind: 'heap', unit: 'B', total: 2000, duration: 1000 });
    expect(byName(profile).copy).to.include({ file: 'app.js', line: 5, self: 2000 });
  });
});

describe('place of a function', () => {
  const placeOf = (url, folder = FOLDER) => {
    const recorded = cpuProfile({ 'f@app.js:3': 1 });
    recorded.nodes[1].callFrame.url = url;
    const [{ file, origin, package: owner }] = read(bytesOf(recorded), { folder }).frames;
    return [origin, file, owner];
  };

  for (const [about, url, expected, folder] of [
    ['own code is relative to the folder', 'file:///srv/routes/a%20b.js', ['own', 'routes/a b.js', undefined]],
    ['a query of a loader is left out', 'file:///srv/a.ts?tsx=1', ['own', 'a.ts', undefined]],
    ['a name that begins with dots', 'file:///app/..a/b.js', ['own', '..a/b.js', undefined], '/app'],
    ['own code beside the folder', 'file:///shared/a.js', ['own', '../shared/a.js', undefined]],
    ['a package', 'file:///srv/node_modules/a/node_modules/@b/c/d.js', ['package', '@b/c/d.js', '@b/c']],
    ['a package of pnpm', 'file:///srv/node_modules/.pnpm/b@1/node_modules/b/d.js', ['package', 'b/d.js', 'b']],
    ['a module of Node', 'node:internal/fs', ['runtime', 'node:internal/fs', undefined]],
    ['no file', '', ['native', undefined, undefined]],
  ])
    it(`${about}: ${url}`, () => expect(placeOf(url, folder)).to.deep.equal(expected));
});

describe('a profile that cannot be read', () => {
  for (const [about, bytes, message] of [
    ['empty', Buffer.from(''), 'JSON'],
    ['another text', Buffer.from('no stacks here'), 'JSON'],
    ['another JSON', Buffer.from('{"a":1}'), 'it is no CPU profile'],
    ['times without end', bytesOf({ ...cpuProfile({ a: 10 }), endTime: 1e300 }), 'no times or sizes'],
    [
      'negative sizes',
      bytesOf({
        head: { callFrame: { functionName: 'a', url: 'a.js', lineNumber: 0, columnNumber: 0 }, selfSize: -5 },
      }),
      'no times or sizes',
    ],
    ['a broken JSON', Buffer.from('{"nodes":['), 'JSON'],
    ['too large', Buffer.alloc(MOST_BYTES + 1), 'it has 40 MB, more than can be read'],
    ['one of several', [bytesOf(cpuProfile({ a: 10 })), Buffer.from('')], 'that of app.js (1): '],
  ])
    it(`${about} is refused: ${message}`, () => expect(() => read(bytes)).to.throw(message));
});

describe('source map of a profile', () => {
  /** line 1 of the code is line 20 of the source, line 2 is line 21 */
  const MAP = { version: 3, sources: ['src/list.ts'], names: [], mappings: 'AAmBA;AACA' };

  it('a map in the code leads to its source', () => {
    const url = `data:application/json;base64,${Buffer.from(JSON.stringify(MAP)).toString('base64')}`;
    const recorded = cpuProfile({ 'list@dist.js:2': 10 });
    const mapUrls = new Map([['file:///srv/dist.js', url]]);
    const all = [{ name: 'app', bytes: bytesOf(recorded), mapUrls }];
    const [frame] = readProfiles(all, { folder: FOLDER, durationMs: 1000 }).frames;
    expect(frame).to.include({ name: 'list', file: 'src/list.ts', line: 21, origin: 'own' });
  });

  it('a map beside the code is read', () =>
    inFolder((folder) => {
      mkdirSync(join(folder, 'dist'));
      writeFileSync(join(folder, 'dist/app.js'), 'a\nb\n//# sourceMappingURL=app.js.map\n');
      writeFileSync(join(folder, 'dist/app.js.map'), JSON.stringify({ ...MAP, sources: ['../src/list.ts'] }));
      const recorded = cpuProfile({ 'list@app.js:2': 10 });
      recorded.nodes[1].callFrame.url = pathToFileURL(join(folder, 'dist/app.js')).href;
      recorded.nodes[1].positionTicks = [{ line: 1, ticks: 1 }];
      const [frame] = readProfiles([{ name: 'app', bytes: bytesOf(recorded) }], { folder, durationMs: 1 }).frames;
      expect(frame).to.include({ file: 'src/list.ts', line: 21, hotLine: 20 });
    }));

  it('a map beside code whose path has the signs of a URL is read', () =>
    inFolder((folder) => {
      const file = join(folder, 'a#b?.js');
      writeFileSync(file, 'a\nb\n//# sourceMappingURL=app.js.map\n');
      writeFileSync(join(folder, 'app.js.map'), JSON.stringify(MAP));
      const recorded = cpuProfile({ 'list@app.js:2': 10 });
      recorded.nodes[1].callFrame.url = file;
      const [frame] = readProfiles([{ name: 'app', bytes: bytesOf(recorded) }], { folder, durationMs: 1 }).frames;
      expect(frame).to.include({ file: 'src/list.ts', line: 21 });
    }));

  it('a line of a minified file tells no line of the source', () => {
    // two functions on line 1: of lines 20 and 23 of the source
    const map = { ...MAP, mappings: 'AAmBA,KAGA' };
    const mapUrls = new Map([['file:///srv/dist.js', `data:application/json,${JSON.stringify(map)}`]]);
    const recorded = cpuProfile({ 'list@dist.js:1': 10 });
    recorded.nodes[1].positionTicks = [{ line: 1, ticks: 1 }];
    const all = [{ name: 'app', bytes: bytesOf(recorded), mapUrls }];
    const [frame] = readProfiles(all, { folder: FOLDER, durationMs: 1 }).frames;
    expect(frame).to.include({ file: 'src/list.ts', line: 20 }).and.not.have.property('hotLine');
  });

  it('a minified function has its name of the source', () => {
    // function r(e){…} at column 9 is GET of line 20
    const map = { ...MAP, names: ['GET'], mappings: 'AAmBA,SAASA' };
    const mapUrls = new Map([['file:///srv/dist.js', `data:application/json,${JSON.stringify(map)}`]]);
    for (const [name, column, expected] of [
      ['r', 10, 'GET'],
      ['other', 3, 'other'],
      ['r', 12, 'r'],
    ]) {
      const recorded = cpuProfile({ [`${name}@dist.js:1`]: 10 });
      recorded.nodes[1].callFrame.columnNumber = column;
      const all = [{ name: 'app', bytes: bytesOf(recorded), mapUrls }];
      expect(readProfiles(all, { folder: FOLDER, durationMs: 1 }).frames[0].name).to.equal(expected);
    }
  });

  it('a map that cannot be read is none', () => {
    const mapUrls = new Map([['file:///srv/dist.js', 'data:application/json,{']]);
    const all = [{ name: 'app', bytes: bytesOf(cpuProfile({ 'list@dist.js:2': 10 })), mapUrls }];
    expect(readProfiles(all, { folder: FOLDER, durationMs: 1 }).frames[0].file).to.equal('dist.js');
  });
});

describe('hot spots', () => {
  const profile = read(
    bytesOf(
      cpuProfile({
        'list@routes/list.js:31;stringify': 40,
        'list@routes/list.js:31;send@node_modules/express/send.js:9;etag@node_modules/etag/index.js:2': 30,
        'save@routes/save.js:3': 20,
        '(garbage collector)': 10,
      }),
    ),
  );

  it('a function is named with the code of the service that called it', () => {
    expect(hotSpots(profile, 10).map(({ share, name, place, by }) => [share, name, place, by])).to.deep.equal([
      [0.4, 'JSON.stringify', 'routes/list.js:31', 'list'],
      [0.3, 'etag', 'routes/list.js:31', 'list'],
      [0.2, 'save', 'routes/save.js:3', ''],
      [0.1, '(garbage collector)', '', ''],
    ]);
  });

  it('a service that is a package itself is named by its package', () => {
    const own = read(bytesOf(cpuProfile({ 'find@node_modules/json-server/find.js:8;test': 40 })));
    expect(hotSpots(own, 1)[0]).to.include({ name: 'test', place: 'json-server/find.js:8', by: 'find' });
  });

  it('a package that is called as an origin is has a row of its own', () => {
    const frames = [
      { origin: 'runtime', self: 1 },
      { origin: 'package', package: 'runtime', self: 3 },
    ];
    expect(packagesOf({ frames, total: 4 }).map(({ origin, value }) => [origin, value])).to.deep.equal([
      ['package', 3],
      ['runtime', 1],
    ]);
  });

  it('packages have the time of their own code', () => {
    expect(packagesOf(profile).map(({ name, share }) => [name, share])).to.deep.equal([
      ['native code', 0.5],
      ['etag', 0.3],
      ['own code', 0.2],
    ]);
  });
});
