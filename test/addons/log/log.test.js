import { readFileSync, write, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { LineWriter } from '../../../lib/addons/log/line-writer.js';
import { LogFile } from '../../../lib/addons/log/log-file.js';
import { LOG_COLUMNS, LOG_FORMATS, logFormatOf, logName } from '../../../lib/addons/log/log-format.js';
import { RequestLog } from '../../../lib/addons/log/request-log.js';
import { inFolder } from '../../support/in-folder.js';
import { itSlow } from '../../support/slow.js';

const [NDJSON, CSV] = LOG_FORMATS;

/** Adds a line for which there is room. */
const addLine = (file, line) => {
  if (!file.room(line.length)) return;
  const { bytes, length } = file.chunk;
  line.copy(bytes, length);
  file.added(length + line.length);
};

/** The bytes that a writer of CSV makes of some values. */
const written = (act) => {
  const writer = new LineWriter(CSV);
  writer.bytes = Buffer.alloc(1000);
  act(writer);
  return writer.bytes.subarray(0, writer.at).toString();
};

/** Writes up to a number of bytes, as if the disk were full after them. */
const failingAfter = (limit) => {
  let left = limit;
  return (fd, bytes, from, length, position, done) => {
    const count = Math.min(left, length);
    if (count === 0) return process.nextTick(done, Object.assign(new Error('full'), { code: 'ENOSPC' }), 0);
    left -= count;
    return write(fd, bytes, from, count, position, done);
  };
};

describe('the log of requests', () => {
  for (const [ms, text] of [
    [0, '0.000'],
    [1.5, '1.500'],
    [0.0004, '0.000'],
    [0.9996, '1.000'],
    [999.9999, '1000.000'],
    [-12.25, '-12.250'],
    [1234567.891, '1234567.891'],
    [2 ** 40 + 0.5, '1099511627776.500'],
    [NaN, ''],
  ])
    it(`a time of ${ms} ms is written as '${text}'`, () => {
      expect(written((writer) => writer.ms(ms))).to.equal(text);
    });

  for (const first of ['=', '+', '-', '@'])
    it(`csv has an apostrophe before a name that begins with ${first}, and ndjson has none`, () => {
      expect(CSV.quote(`${first}a,b`)).to.equal(`"'${first}a,b"`);
      expect(NDJSON.quote(`${first}a`)).to.equal(`"${first}a"`);
    });

  it('the wall clock has microseconds, across the end of a second', () => {
    const texts = [1700000000000.5, 1700000000999.9995, 1700000001000].map((ms) =>
      written((writer) => writer.time(ms)),
    );
    expect(texts).to.deep.equal(['1700000000000.500', '1700000000999.999', '1700000001000.000']);
  });

  it('counts are whole numbers of any size', () => {
    const texts = [0, 7, 10, 4095, 2 ** 31, 2 ** 50, NaN].map((value) => written((writer) => writer.count(value)));
    expect(texts).to.deep.equal(['0', '7', '10', '4095', '2147483648', '1125899906842624', '']);
  });

  it('a name with quotes and several lines stays in one line of a CSV file', () => {
    const { quote } = CSV;
    expect(quote('a "b",\r\nc')).to.equal('"a ""b"", c"');
    expect(quote('GET /')).to.equal('GET /');
  });

  it('the extension of a file selects its format, in any case', () => {
    expect(['a.ndjson', 'a.CSV', 'a.json', 'csv'].map((path) => logFormatOf(path)?.extension)).to.deep.equal([
      '.ndjson',
      '.csv',
      undefined,
      undefined,
    ]);
  });

  it('each column has a sentence, and its own name', () => {
    expect(new Set(LOG_COLUMNS.map(({ name }) => name)).size).to.equal(LOG_COLUMNS.length);
    expect(LOG_COLUMNS.every(({ about }) => about !== '')).to.equal(true);
  });

  for (const [parts, name] of [
    [['requests.csv', null, null], 'requests.csv'],
    [['requests.csv', null, 2], 'requests.2.csv'],
    [['logs/requests.ndjson', { number: 3 }, null], join('logs', 'requests.shard3.ndjson')],
    [['/tmp/a.b.ndjson', { number: 3 }, 1], join('/tmp', 'a.b.shard3.1.ndjson')],
  ])
    it(`the file of a part is ${name}`, () => {
      expect(logName(...parts)).to.equal(name);
    });

  describe('lines', () => {
    /** A log of requests at these instants; the failed ones are every `failedEvery`-th. Returns its lines. */
    const logged = (instants, { name = 'GET /', extension = '.ndjson', act } = {}) =>
      inFolder(async (folder) => {
        const path = join(folder, `requests${extension}`);
        const log = await RequestLog.open({ log: path }, { worker: 0, isWorker: false });
        const { count: step } = log.stepOf({ phase: 'main', name });
        const link = log.linkOf(0, null);
        const times = { due: NaN, startedAt: 1, connectedAt: 0, sentAt: 1, firstByteAt: 1, bytesOut: 1, bytesIn: 1 };
        if (act === undefined) log.begin(0);
        instants.forEach((endedAt, iteration) => {
          log.add({ ...times, endedAt, status: 200, iteration, step, link, error: null });
          act?.(log, iteration);
        });
        await log.close();
        const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
        return { lines: extension === '.csv' ? lines : lines.map((line) => JSON.parse(line)), summary: log.toJSON() };
      });
    const sumOf = (lines) => lines.reduce((sum, { weight }) => sum + weight, 0);
    const every = (gapMs, count, from = 1) => Array.from({ length: count }, (_, i) => from + i * gapMs);

    for (const [what, instants, options] of [
      ['of a run', every(10, 100)],
      ['before the start', every(0.01, 30_000), { act: () => {} }],
      ['with a start between them', every(0.1, 300), { act: (log, i) => i === 105 && log.begin(10) }],
    ])
      it(`the sum of weight is the number of requests, and lines are in the order of time, ${what}`, async () => {
        const { lines, summary } = await logged(instants, options);
        expect(sumOf(lines)).to.equal(instants.length);
        const ends = lines.map(({ iteration }) => iteration);
        expect([...ends].sort((a, b) => a - b)).to.deep.equal(ends);
        const { requests, lines: count, behindDisk } = summary;
        expect([requests, count]).to.deep.equal([instants.length, lines.length]);
        expect(count + behindDisk).to.equal(requests);
      });

    itSlow('requests for which the disk was too slow are in the weight of the last line, if none follows', async () => {
      // without a turn of the event loop, nothing can be written
      const { lines, summary } = await logged(every(0.01, 20_000));
      expect(sumOf(lines)).to.equal(20_000);
      expect(summary.behindDisk).to.be.above(0);
      expect(lines.length + summary.behindDisk).to.equal(20_000);
    });

    for (const extension of ['.ndjson', '.csv'])
      it(`T71 a name of any length is shortened, ${extension}`, async () => {
        const { lines } = await logged([1, 2], { name: '\u0001'.repeat(270_000), extension });
        const rows = extension === '.csv' ? lines.slice(1) : lines;
        expect(rows).to.have.length(2);
        expect(JSON.stringify(rows).length).to.be.below(20_000);
      });
  });

  describe('file', () => {
    it('lines are written in their order, more than the buffer holds', () =>
      inFolder(async (folder) => {
        const path = join(folder, 'a.csv');
        const file = await LogFile.open(path, CSV);
        let expected = CSV.header;
        for (let i = 0; i < 200; i++) {
          const text = `${i},${'x'.repeat(20_000)}\n`;
          expected += text;
          while (!file.room(text.length)) await new Promise((resolve) => setImmediate(resolve));
          addLine(file, Buffer.from(text));
        }
        await file.close();
        expect(readFileSync(path, 'utf8') === expected).to.equal(true);
        expect(file.lines).to.equal(200);
        expect(file.error).to.equal(null);
      }));

    it('there is no room while the disk is behind, and the buffer does not grow', () =>
      inFolder(async (folder) => {
        const file = await LogFile.open(join(folder, 'a.ndjson'), NDJSON);
        const line = Buffer.alloc(1000, 'x');
        let added = 0;
        // without a turn of the event loop, nothing can be written
        while (added < 10_000 && file.room(line.length)) {
          addLine(file, line);
          added++;
        }
        expect(added).to.be.within(1000, 3000);
        await file.close();
        expect(file.lines).to.equal(added);
      }));

    it('added lines can be read before the end', () =>
      inFolder(async (folder) => {
        const path = join(folder, 'a.ndjson');
        const file = await LogFile.open(path, NDJSON);
        addLine(file, Buffer.from('one\n'));
        file.flush();
        while (file.lines === 0) await new Promise((resolve) => setImmediate(resolve));
        expect(readFileSync(path, 'utf8')).to.equal('one\n');
        await file.close();
      }));

    it('a full disk is the error of the file, and ends it', async function () {
      if (process.platform !== 'linux') this.skip();
      const file = new LogFile(await open('/dev/full', 'w'));
      addLine(file, Buffer.from('one\n'));
      file.flush();
      while (file.error === null) await new Promise((resolve) => setImmediate(resolve));
      expect(file.error).to.equal('the disk is full');
      expect(file.room(1)).to.equal(false);
      await file.close();
      expect(file.lines).to.equal(0);
    });

    for (const [what, limit, expected] of [
      ['in the middle of a line', 25, 'one 1\none 2\none 3\none 4\n'],
      ['at the end of a line', 24, 'one 1\none 2\none 3\none 4\n'],
      ['before any byte', 0, ''],
    ])
      it(`T72 after a write that failed ${what}, the complete lines are counted, and no other is in the file`, () =>
        inFolder(async (folder) => {
          const path = join(folder, 'a.csv');
          const handle = await open(path, 'w');
          const file = new LogFile(handle, 0, failingAfter(limit));
          for (let i = 1; i < 10; i++) addLine(file, Buffer.from(`one ${i}\n`));
          await file.close();
          expect(file.error).to.equal('the disk is full');
          expect(readFileSync(path, 'utf8')).to.equal(expected);
          expect(file.lines).to.equal(expected.split('\n').length - 1);
        }));

    it('a line that is longer than the buffer has no room', () =>
      inFolder(async (folder) => {
        const file = await LogFile.open(join(folder, 'a.csv'), CSV);
        expect(file.room(1024 * 1024)).to.equal(false);
        expect(file.room(1000)).to.equal(true);
        await file.close();
      }));

    it('an earlier log is replaced, any other file is not', () =>
      inFolder(async (folder) => {
        const path = join(folder, 'a.csv');
        for (const earlier of ['', `${CSV.header}1,2\n`]) {
          writeFileSync(path, earlier);
          await (await LogFile.open(path, CSV)).close();
          expect(readFileSync(path, 'utf8')).to.equal(CSV.header);
        }
      }));

    const whole = JSON.stringify(Object.fromEntries(LOG_COLUMNS.map(({ name }) => [name, null])));
    for (const [what, format, text] of [
      ['a table', CSV, 'name,age\nAda,36\n'],
      ['a table with more columns', CSV, `${CSV.header.trim()},more\n1\n`],
      ['a log of Go slog', NDJSON, '{"time":"2024-01-01T00:00:00Z","level":"INFO","msg":"started"}\n'],
      ['a log of pino', NDJSON, '{"time":1700000000,"level":30,"msg":"started"}\n'],
      ['a result', NDJSON, '{"type":"result"}\n'],
      ['columns in another order', NDJSON, `{"time":1,"weight":1,${whole.slice(1)}\n`],
      ['a line with more columns', NDJSON, `${whole.slice(0, -1)},"level":30}\n`],
      ['a line without an end', NDJSON, '{"time":1700000000'],
      ['a long line', NDJSON, `{"time":1,"data":"${'x'.repeat(200_000)}"}\n`],
    ])
      it(`T70 a file of another program is not replaced: ${what}`, () =>
        inFolder(async (folder) => {
          const path = join(folder, `a${format.extension}`);
          writeFileSync(path, text);
          const error = await LogFile.open(path, format).catch((reason) => reason);
          expect(error.code).to.equal('E_LOG');
          expect(error.message).to.match(/exists and is not a log of requests.*remove it/s);
          expect(readFileSync(path, 'utf8')).to.equal(text);
        }));

    it('an earlier log in NDJSON is replaced', () =>
      inFolder(async (folder) => {
        const path = join(folder, 'a.ndjson');
        const earlier = whole.replace('{"time":null', '{"time":1');
        writeFileSync(path, `${earlier}\n${earlier}\n{"ti`);
        await (await LogFile.open(path, NDJSON)).close();
        expect(readFileSync(path, 'utf8')).to.equal('');
      }));

    for (const [what, name, reason] of [
      ['a folder that does not exist', 'none/a.csv', 'its folder does not exist'],
      ['a folder', '.', 'is not a file'],
    ])
      it(`${what} is refused`, () =>
        inFolder(async (folder) => {
          const error = await LogFile.open(join(folder, name), CSV).catch((thrown) => thrown);
          expect(error.code).to.equal('E_LOG');
          expect(error.message).to.contain(reason);
        }));
  });
});
