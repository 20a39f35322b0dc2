/* global uPlot */
/** Runs in the browser: draws the page of a result, and draws it again when a newer one arrives. */
(() => {
  const byId = (id) => document.getElementById(id);
  const whole = (value) => (value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en'));
  const ms = (value) =>
    value === null || value === undefined
      ? '–'
      : value.toLocaleString('en', { maximumFractionDigits: value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0 });
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** Text is set as text, so it never becomes markup. */
  function element(tag, { text, ...attributes } = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  }

  function table(id, label, head, rows) {
    const cells = (tag, row) =>
      element(
        'tr',
        {},
        ...row.map((cell, i) =>
          cell instanceof Node
            ? element('td', {}, cell)
            : element(tag, {
                text: cell,
                ...(head[i].startsWith('-') && { class: 'text' }),
                ...(tag === 'th' && { scope: 'col' }),
              }),
        ),
      );
    const made = element(
      'table',
      {},
      element(
        'thead',
        {},
        cells(
          'th',
          head.map((one) => one.replace(/^-/, '')),
        ),
      ),
      element('tbody', {}, ...rows.map((row) => cells('td', row))),
    );
    byId(id).replaceChildren(
      element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, made),
    );
    byId(id).closest('section').hidden = rows.length === 0;
  }

  /** Draws all charts, replacing those of an earlier size, colour scheme or result. */
  const charts = new Map();
  function draw(all) {
    // hidden elements have no width: show first, then draw
    for (const { id, x } of all) byId(id).hidden = x.length < 2;
    for (const { id } of all) charts.get(id)?.destroy();
    charts.clear();
    for (const one of all) if (one.x.length >= 2) drawOne(one);
  }

  function drawOne({ id, title, label, x, series, log = false, xLabel, yLabel, xSplits, xValues }) {
    const figure = byId(id);
    const axis = {
      stroke: colour('--quiet'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line') },
    };
    const plot = new uPlot(
      {
        width: figure.clientWidth,
        height: 240,
        scales: {
          x: { time: false, ...(xValues && { distr: 3 }) },
          y: { distr: log ? 3 : 1, range: log ? undefined : (_u, _min, max) => [0, (max || 1) * 1.05] },
        },
        axes: [
          {
            ...axis,
            label: xLabel,
            labelSize: 20,
            size: 36,
            ...(xSplits && {
              splits: () => xSplits,
              filter: (_u, splits) => splits,
              values: (_u, splits) => splits.map(xValues),
            }),
          },
          { ...axis, label: yLabel, labelSize: 20, size: 64 },
        ],
        series: [
          {
            label: xLabel,
            ...(xValues && { value: (_u, value) => (value === null || value === undefined ? '–' : xValues(value)) }),
          },
          ...series.map(({ name, stroke, fill }) => ({
            label: name,
            stroke: colour(stroke),
            width: 1.5,
            points: { show: x.length < 3 },
            ...(fill && { fill: `${colour(stroke)}22` }),
          })),
        ],
      },
      [x, ...series.map(({ values }) => values)],
      figure.querySelector('.plot'),
    );
    charts.set(id, plot);
    figure.querySelector('figcaption').textContent = title;
    figure.querySelector('.plot').setAttribute('aria-label', label);
    figure.dataset.points = String(x.length);
  }

  let latest = null;
  // eslint-disable-next-line max-lines-per-function -- builds the page from top to bottom, section by section
  function render(result) {
    latest = result;
    const {
      run,
      main,
      iterations,
      requests,
      operations,
      errors,
      series,
      verdict,
      client,
      server,
      thresholds,
      percentiles,
      latency,
      metrics,
    } = result;
    document.title = `bench-rest: ${run?.shape ?? 'result'}`;
    byId('shape').textContent = run
      ? `${run.shape}${run.origins.length ? ` against ${run.origins.join(', ')}` : ''}`
      : '';
    byId('about').textContent = run
      ? `${run.flow.from} · ${new Date(run.startedAt).toLocaleString()} · ${run.tool} · Node ${run.machine.node} on ${run.machine.platform}, ${run.machine.cpus}`
      : '';
    const badge = byId('verdict');
    badge.textContent = result.isLive ? 'running' : verdict.status;
    badge.className = `verdict ${result.isLive ? 'quiet' : verdict.status}`;
    byId('reasons').replaceChildren(...verdict.reasons.map((reason) => element('li', { text: reason })));

    const cards = [
      ['requests per second', whole(requests.rate)],
      ['p50, ms', ms(main.histogram.median)],
      ['p95, ms', ms(main.histogram.p95)],
      ['p99, ms', ms(main.histogram.p99)],
      ['iterations', whole(iterations.started)],
      ['errors', whole(errors.count)],
    ];
    byId('cards').replaceChildren(
      ...cards.map(([name, value]) =>
        element('li', {}, element('b', { text: value }), element('span', { text: name, class: 'quiet' })),
      ),
    );

    // the last interval may be too short to be meaningful
    const points = series.points.filter(
      ({ at }, i) => i < series.points.length - 1 || result.measuredElapsed - at > series.interval / 2,
    );
    const seconds = points.map(({ at }) => at / 1000);
    const of = (name) => points.map((point) => point[name]);
    const percentile = (inverse) => `${+(100 - 100 / inverse).toFixed(5)}%`;
    const nines = [
      1,
      2,
      ...[1, 2, 3, 4, 5, 6]
        .map((power) => 10 ** power)
        .filter((inverse) => inverse <= (percentiles.inverse.at(-1) ?? 0)),
    ];
    draw([
      {
        id: 'over-time',
        title: 'Iterations and errors per second',
        label: `Iterations per second over ${seconds.length} points, from ${whole(Math.min(...of('rate')))} to ${whole(Math.max(...of('rate')))}`,
        x: seconds,
        xLabel: 'seconds',
        yLabel: 'per second',
        series: [
          { name: 'iterations', stroke: '--one', fill: true, values: of('rate') },
          { name: 'errors', stroke: '--bad', values: of('errorRate') },
        ],
      },
      {
        id: 'latency-over-time',
        title: 'Response time, ms',
        label: `Response time over ${seconds.length} points: p50, p99 and maximum of each`,
        x: seconds,
        xLabel: 'seconds',
        yLabel: 'ms',
        log: true,
        series: [
          { name: 'p50', stroke: '--one', values: of('p50') },
          { name: 'p99', stroke: '--two', values: of('p99') },
          { name: 'max', stroke: '--three', values: of('max') },
        ],
      },
      {
        id: 'percentiles',
        title: 'Percentiles, ms',
        label: `Percentiles of the response time, up to a maximum of ${ms(main.histogram.max)} ms`,
        x: percentiles.inverse,
        xLabel: 'percentile',
        yLabel: 'ms',
        log: true,
        xSplits: nines,
        xValues: percentile,
        series: [
          { name: 'response time', stroke: '--one', values: percentiles.response },
          ...(percentiles.service ? [{ name: 'service time', stroke: '--two', values: percentiles.service }] : []),
        ],
      },
      {
        id: 'concurrency',
        title: 'Running iterations and event loop',
        label: 'Running iterations and utilization of the event loop over time',
        x: seconds,
        xLabel: 'seconds',
        yLabel: 'iterations',
        series: [
          { name: 'running', stroke: '--one', values: of('concurrency') },
          { name: 'event loop, %', stroke: '--two', values: of('utilization').map((share) => share * 100) },
        ],
      },
    ]);

    table(
      'thresholds',
      'Thresholds',
      ['-threshold', 'measured', ''],
      thresholds.map(({ expression, measured, passed }) => [
        expression,
        measured,
        element('span', { text: passed ? 'passed' : 'failed', class: passed ? 'passed' : 'failed' }),
      ]),
    );
    table(
      'latency',
      'Latency',
      ['-ms', ...latency.columns.map(({ label }) => label)],
      latency.rows.map(({ label, summary }) => [label, ...latency.columns.map(({ key }) => ms(summary[key]))]),
    );
    const slowest = Math.max(...operations.map(({ serviceTime: { p95 } }) => p95 ?? 0), 0.001);
    table(
      'operations',
      'Operations',
      ['-operation', '-phase', 'count', 'errors', 'p50', 'p95', 'p99', 'max', '-p95'],
      operations.map(({ name, phase, count, errors: failed, serviceTime: { median, p95, p99, max } }) => [
        name,
        phase,
        whole(count),
        whole(failed),
        ms(median),
        ms(p95),
        ms(p99),
        ms(max),
        element('meter', {
          min: '0',
          max: String(slowest),
          value: String(p95 ?? 0),
          'aria-label': `p95 ${ms(p95)} ms`,
        }),
      ]),
    );
    const number = (value) => (value === null || Number.isInteger(value) ? whole(value) : ms(value));
    table(
      'metrics',
      'Metrics of hooks',
      ['-metric', '-kind', 'value', 'per second', 'p50', 'p95', 'p99', 'max'],
      metrics.map(({ name, kind, count, rate, values }) => [
        name,
        kind,
        number(count),
        ...(rate === null ? [''] : [ms(rate)]),
        ...(values ? [values.median, values.p95, values.p99, values.max].map(ms) : ['', '', '', '']),
      ]),
    );
    table(
      'errors',
      'Errors',
      ['count', '-kind', '-where', '-message'],
      errors.samples.map(({ count, kind, operation, context, message }) => [
        whole(count),
        kind,
        operation || context,
        message,
      ]),
    );
    table(
      'statuses',
      'Status codes',
      ['-status', 'responses'],
      Object.entries(requests.statusCodes).map(([status, count]) => [status, whole(count)]),
    );
    table(
      'slowest',
      'Slowest requests',
      ['iteration', '-operation', 'status', 'ms', 'started, s', '-connection'],
      result.exemplars.slowest.map(({ index, operation, status, ms: time, started, reused }) => [
        index ?? '–',
        operation,
        status ?? '–',
        ms(time),
        (started / 1000).toFixed(3),
        reused ? 'reused' : 'new',
      ]),
    );
    const thread = (name, { utilization, delay, cpu, gc }) => [
      name,
      `${(utilization * 100).toFixed(0)} %`,
      ms(delay.p99),
      ms(cpu),
      ms(gc),
    ];
    table(
      'client',
      'Client',
      ['-thread', 'event loop busy', 'delay (p99), ms', 'CPU, ms', 'GC, ms'],
      [
        thread(client.workers > 1 ? `client, ${client.workers} workers` : 'client', client),
        ...(server ? [thread('server', server)] : []),
      ],
    );
    byId('options').textContent = JSON.stringify(run?.options ?? {}, null, 2);
  }

  let timer;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => latest && render(latest), 100);
  };
  addEventListener('resize', again);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  // a dashboard that is opened before the first result has none
  const first = byId('result').textContent;
  if (first) render(JSON.parse(first));

  if (document.documentElement.dataset.live === 'yes') {
    const source = new EventSource('events');
    source.addEventListener('result', ({ data }) => {
      const result = JSON.parse(data);
      render(result);
      if (!result.isLive) source.close();
    });
  }
})();
