import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { readStages, readTraffic } from '../../../../lib/core/run/options/stages.js';
import { scheduleFor } from '../../../../lib/core/schedule/index.js';

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-traffic-'))));
after(() => rmSync(folder, { recursive: true }));
const file = (text) => {
  const path = join(folder, 'traffic.csv');
  writeFileSync(path, text);
  return path;
};
const stages = [
  { duration: 60_000, rate: 20, ramp: false },
  { duration: 60_000, rate: 35, ramp: false },
];

describe('a recorded curve', () => {
  for (const [what, text] of [
    ['seconds and rates', 'time,rate\n0,20\n60,35\n'],
    ['a quoted header and quoted numbers', '"time","count"\n"0","1,200"\n"60","2100"'],
    ['times past midnight', 'time,rate\n23:59,20\n00:00,35'],
    [
      'semicolons, other columns, another order, a comment and CRLF',
      '# of nginx\r\nrps;host;timestamp\r\n20;a;100\r\n35;a;160\r\n',
    ],
    ['empty cells between tabs', 'host\ttime\tpath\trate\n\t0\t\t20\n\t60\t\t35\t'],
    ['the time of a day', 'time,rate\n12:00,20\n12:01,35'],
    ['dates', 'time\trate\n2026-11-26T12:00:00Z\t20\n2026-11-26T12:01:00Z\t35'],
    ['milliseconds since 1970', 'time,rate\n1764158400000,20\n1764158460000,35'],
    ['counts', 'time,count\n0,1200\n60,2100'],
  ])
    it(`has ${what}`, () => {
      const read = readTraffic(file(text));
      expect(read.map(({ rate, ...others }) => ({ ...others, rate: Math.round(rate * 1e9) / 1e9 }))).to.deep.equal(
        stages,
      );
    });

  for (const [text, reason] of [
    ['time,rate\n0,20\n60,x\n', 'traffic.csv:3: expected a number from 0, got x'],
    ['time,rate\n0,20\nlater,3\n', 'traffic.csv:3: expected a time in seconds, a date or 12:30, got later'],
    ['time,rate\n12:00,20\n12:75,3\n', 'traffic.csv:3: expected a time in seconds, a date or 12:30, got 12:75'],
    ['time,rate\n0,1e400\n60,3\n', 'traffic.csv:2: expected a number from 0, got 1e400'],
    ['time,rate\n60,20\n60,3\n', 'traffic.csv:3: its time is not after that of the row before'],
    ['time,rate\n60,20\n', 'traffic.csv has one row'],
    ['', 'traffic.csv has no rows'],
    ['when,what\n1,2\n3,4', 'traffic.csv:1: expected the columns time, and rate or count, got when, what$'],
    ['0,20\n60,35', 'traffic.csv:1: has no header: write the names of the columns in the first row'],
    ['time,rate,count\n0,1,1\n1,1,1', 'traffic.csv:1: has both rate (per second) and count (of an interval)'],
    [
      'time,rate\n2026-10-25T01:00Z,1\n2026-10-25T02:00,1',
      'traffic.csv:3: its time is a date without a zone, that of the first row a date with a zone: write all in one form',
    ],
    ['time,rate\n60,1\n12:00,1', 'traffic.csv:3: its time is a time of day, that of the first row a number'],
    ['time,rate\n12:01,1\n12:00,1', 'traffic.csv:3: its time is not after that of the row before'],
  ])
    it(`is refused: ${reason}`, () => expect(`${readTraffic(file(text))}$`).to.include(reason));

  it('is refused if the file is missing', () =>
    expect(readTraffic(join(folder, 'none.csv'))).to.include('does not exist'));

  it('is refused if it is no regular file', () =>
    expect(readTraffic(folder)).to.equal(`${folder} is a directory; use a file in it`));

  it('is a stage: @file or { file }, alone or among others', () => {
    const path = file('time,rate\n0,20\n60,35');
    for (const given of [[`@${path}`], { file: path }, [{ file: path }]])
      expect(readStages(given)).to.deep.equal(stages);
    expect(readStages([`@${path}`, '10s:0'])).to.have.lengthOf(3);
  });

  describe('in a zone with summer time', () => {
    const zone = process.env.TZ;
    before(() => (process.env.TZ = 'Europe/Berlin'));
    after(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });
    const minutes = (day) => ['01:59', '02:00', '02:59', '03:00', '03:01'].map((time) => [day, time]);
    for (const [what, write] of [
      ['T', ([day, time]) => `${day}T${time}`],
      ['a small t and seconds', ([day, time]) => `${day}t${time}:00.000`],
      ['a blank', ([day, time]) => `${day} ${time}`],
      ['decimal commas', ([day, time]) => `"${day} ${time}:00,000"`],
      ['Z', ([day, time]) => `${day}T${time}:00Z`],
      ['UTC', ([day, time]) => `${day} ${time} UTC`],
      ['an offset', ([day, time]) => `${day} ${time}:00+0100`],
    ])
      it(`dates with ${what} are as far apart as they are written, in spring and in autumn`, () => {
        for (const day of ['2026-03-29', '2026-10-25', '2026-06-01']) {
          const read = readTraffic(
            file(
              `time,rate\n${minutes(day)
                .map((one) => `${write(one)},1\n`)
                .join('')}`,
            ),
          );
          expect(read.map(({ duration }) => duration / 60_000)).to.deep.equal([1, 59, 1, 1, 1]);
        }
      });

    it('days have 24 hours', () => {
      const read = readTraffic(file('time,rate\n2026-03-28,1\n2026-03-29,1\n2026-03-30,1\n'));
      expect(read.map(({ duration }) => duration / 3_600_000)).to.deep.equal([24, 24, 24]);
    });
  });

  it('has intervals of whole milliseconds', () => {
    const read = readTraffic(file('time,rate\n0,20\n0.2,40\n0.4,10'));
    expect(read.map(({ duration }) => duration)).to.deep.equal([200, 200, 200]);
  });

  it('is scaled and sped up', () => {
    const options = { limit: 1, stages, scale: 2, speed: 10 };
    const { arrived, end, peakRate } = scheduleFor(options).create(options);
    expect(end).to.equal(12_000);
    expect(peakRate).to.equal(70);
    expect(arrived(5999)).to.equal(240);
    expect(arrived(20_000)).to.equal(240 + 420);
    expect(scheduleFor(options).describe(options)).to.equal('6 s at 40/s, 6 s at 70/s, up to 1 virtual user');
  });
});
