import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { LineWriter, LogFile } from '../../../../lib/run/log/log-file.js';
import { LOG_COLUMNS, LOG_FORMATS, logFormatOf } from '../../../../lib/run/log/log-format.js';
import { Sampler, logName } from '../../../../lib/run/log/request-log.js';
import { inFolder } from '../../../support/in-folder.js';

const [NDJSON, CSV] = LOG_FORMATS;

/** The bytes that a writer of CSV makes of some values. */
const written = (act) => {
  const writer = new LineWriter(CSV);
  writer.bytes = Buffer.alloc(1000);
  act(writer);
  return writer.bytes.subarray(0, writer.at).toString();
};

describe('run/log', () => {
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

  describe('sampler', () => {
    /** Weights of requests, `gapMs` after each other. */
    const weights = (sampler, count, gapMs, from = 0) =>
      Array.from({ length: count }, (_, i) => sampler.take(from + i * gapMs));

    it('below the rate, each request stands for itself', () => {
      expect(new Set(weights(new Sampler(1000, Math.random), 5000, 2))).to.deep.equal(new Set([1]));
    });

    it('above the rate, the lines stand for all requests, and are about as many as the rate allows', () => {
      const all = weights(new Sampler(1000, Math.random), 200_000, 0.02);
      const lines = all.filter((weight) => weight > 0);
      const sum = lines.reduce((total, weight) => total + weight, 0);
      expect(sum).to.be.within(200_000 - 200, 200_000 + 200);
      expect(lines.length).to.be.within(3000, 8000);
    });

    it('operations that take turns are sampled alike', () => {
      const all = weights(new Sampler(1000, Math.random), 200_000, 0.02);
      const ofEven = all.reduce((total, weight, i) => (i % 2 === 0 ? total + weight : total), 0);
      expect(ofEven / 200_000).to.be.within(0.4, 0.6);
    });

    it('after a peak, each request has a line again', () => {
      const sampler = new Sampler(1000, Math.random);
      weights(sampler, 10_000, 0.02);
      weights(sampler, 1000, 10, 1000);
      expect(new Set(weights(sampler, 100, 10, 20_000))).to.deep.equal(new Set([1]));
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
          file.add(Buffer.from(text), 1);
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
          file.add(line, 1);
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
        file.add(Buffer.from('one\n'), 1);
        file.flush();
        while (file.lines === 0) await new Promise((resolve) => setImmediate(resolve));
        expect(readFileSync(path, 'utf8')).to.equal('one\n');
        await file.close();
      }));

    it('a full disk is the error of the file, and ends it', async function () {
      if (process.platform !== 'linux') this.skip();
      const file = new LogFile(await open('/dev/full', 'w'));
      file.add(Buffer.from('one\n'), 1);
      file.flush();
      while (file.error === null) await new Promise((resolve) => setImmediate(resolve));
      expect(file.error).to.equal('the disk is full');
      expect(file.room(1)).to.equal(false);
      await file.close();
      expect(file.lines).to.equal(0);
    });

    it('an earlier log is replaced, any other file is not', () =>
      inFolder(async (folder) => {
        const path = join(folder, 'a.csv');
        for (const earlier of ['', `${CSV.header}1,2\n`]) {
          writeFileSync(path, earlier);
          await (await LogFile.open(path, CSV)).close();
          expect(readFileSync(path, 'utf8')).to.equal(CSV.header);
        }
        writeFileSync(path, 'name,age\nAda,36\n');
        const error = await LogFile.open(path, CSV).catch((reason) => reason);
        expect(error.code).to.equal('E_LOG');
        expect(error.message).to.match(/a\.csv: exists and is not a log of requests.*remove it/s);
        expect(readFileSync(path, 'utf8')).to.equal('name,age\nAda,36\n');
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
