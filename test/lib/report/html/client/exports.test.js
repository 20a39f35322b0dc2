import { expect } from 'chai';

import { intervalsCsv, operationsCsv } from '../../../../../lib/report/html/client/exports.js';

describe('report/html/client/exports', () => {
  it('operations.csv has the failed iterations as the errors of the iterations', () => {
    const latency = {
      columns: [{ key: 'p95', label: 'p95' }],
      rows: [{ label: 'iteration', summary: { count: 10, p95: 5 } }],
    };
    const operations = [{ name: 'GET /', phase: 'main', count: 10, errors: 2, time: { p95: 4 } }];
    expect(operationsCsv(operations, latency, 3).split('\r\n')).to.deep.equal([
      'name,phase,count,errors,p95',
      'iteration,main,10,3,5',
      'GET /,main,10,2,4',
      '',
    ]);
  });

  it('intervals.csv has the p95 of each operation in each interval', () => {
    const time = { at: [0, 1], rate: [10, 20] };
    const byOperation = [
      { name: 'GET /a', values: [1.5, null] },
      { name: 'PUT "b"', values: [null, 2] },
    ];
    expect(intervalsCsv(time, byOperation).split('\r\n')).to.deep.equal([
      'at,rate,p95 GET /a,"p95 PUT ""b"""',
      '0,10,1.5,',
      '1,20,,2',
      '',
    ]);
  });
});
