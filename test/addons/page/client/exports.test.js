import { expect } from 'chai';

import { STATISTICS } from '../../../../lib/core/measure/percentiles.js';
import { CSV_COLUMNS } from '../../../../lib/addons/formats/csv.js';
import {
  INTERVAL_COLUMNS,
  intervalsCsv,
  operationsCsv,
  timeColumn,
} from '../../../../lib/addons/page/client/exports.js';

describe('downloads of a page', () => {
  it('columns of times have the names that the format csv has', () => {
    const times = Object.values(INTERVAL_COLUMNS).filter((name) => name.endsWith('_ms'));
    expect(times).to.have.lengthOf(4);
    expect(CSV_COLUMNS).to.include.members([...times, ...STATISTICS.map(({ key }) => timeColumn(key))]);
  });

  it('operations.csv has the failed iterations as the errors of the iterations', () => {
    const latency = {
      columns: [
        { key: 'median', label: 'p50' },
        { key: 'p95', label: 'p95' },
      ],
      rows: [{ label: 'iteration', summary: { count: 10, median: 3, p95: 5 } }],
    };
    const operations = [{ name: 'GET /', phase: 'main', count: 10, errors: 2, time: { median: 2, p95: 4 } }];
    expect(operationsCsv(operations, latency, 3).split('\r\n')).to.deep.equal([
      'name,phase,count,errors,median_ms,p95_ms',
      'iteration,main,10,3,3,5',
      'GET /,main,10,2,2,4',
      '',
    ]);
  });

  it('intervals.csv has the p95 of each operation in each interval', () => {
    const time = { at: [0, 1], rate: [10, 20], errorRate: [0, 4], p50: [1, 2], utilization: [0.1, 0.2] };
    const byOperation = [
      { name: 'GET /a', values: [1.5, null] },
      { name: 'PUT "b"', values: [null, 2] },
    ];
    expect(intervalsCsv(time, byOperation).split('\r\n')).to.deep.equal([
      'at_s,completedRate,errors_per_second,median_ms,eventLoopUtilization,p95_ms GET /a,"p95_ms PUT ""b"""',
      '0,10,0,1,0.1,1.5,',
      '1,20,4,2,0.2,,2',
      '',
    ]);
  });
});
