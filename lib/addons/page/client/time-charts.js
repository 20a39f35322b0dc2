/* global uPlot */
import { bytes } from '../../../core/ground/decimal.js';
import { axis, byId, color, element, legend, lineOf, show } from './elements.js';
import { chartsOf } from './page-charts.js';
import { heatOpacity, timeLabel, timeTicks } from './scales.js';

/** @import { PageModel, TimeChart, TimeSeries } from './page-charts.js' */

/** The last seconds of a run of hours have a point each. */
const RECENT_S = 15 * 60;
/** Rows of the names of loads that start later than the run. */
const START_ROWS = 3;

/**
 * The charts over time: one time axis, one cursor and one zoom for all. New data keep the zoom. Each chart is a plot of
 * uPlot, which calls the hook `setScale` whenever a scale has changed: by the user, and by this class.
 */
export class TimeCharts {
  /** @type {Map<string, any>} */
  #plots = new Map();
  /** The charts, series and marks for which the plots were made. */
  #drawnFor = '';
  #model;
  /** @type {TimeChart[]} */
  #charts = [];
  /** The range that the charts show, in seconds; null: the whole run. @type {{ min: number, max: number } | null} */
  #zoom = null;
  /** The zoom is that of the last 15 minutes, and moves with them until the user zooms. */
  #followsRecent = false;

  /** @param {PageModel} model */
  constructor(model) {
    this.#model = model;
  }

  /** @type {(model: PageModel) => void} */
  update(model) {
    this.#model = model;
    this.#charts = chartsOf(model);
    this.#followsRecent &&= model.hasRecent;
    if (!this.#hasCourse) return;
    if (this.#followsRecent) this.#zoom = this.#recentRange();
    if (this.#drawnFor !== this.#kind) {
      this.redraw();
      return;
    }
    for (const chart of this.#charts) {
      const plot = this.#plots.get(chart.id);
      // Scales follow new data, unless the user has zoomed.
      plot.setData(this.#dataOf(chart), this.#zoom === null);
      if (this.#followsRecent) plot.setScale('x', this.#zoom);
      this.#writeLegend(chart, null);
    }
  }

  /** Draws all anew: for another width or other colors. */
  redraw() {
    if (!this.#hasCourse) return;
    for (const plot of this.#plots.values()) plot.destroy();
    this.#plots.clear();
    // Hidden elements have no width: show all, then draw.
    const places = this.#charts.map((chart) => this.#open(chart));
    this.#charts.forEach((chart, i) => this.#draw(chart, places[i]));
    this.#drawnFor = this.#kind;
  }

  /** A line needs two points. */
  get #hasCourse() {
    return this.#model.time.at.length > 1;
  }

  /** The series may change during a run: operations that functions request become known. */
  get #kind() {
    const names = this.#charts.flatMap(({ id, series }) => [id, ...series.map(({ name }) => name)]);
    return [...names, this.#model.heat !== null, this.#model.hasRecent].join();
  }

  /** The end of the run, seconds. */
  get #end() {
    return this.#model.elapsed / 1000;
  }

  /** @type {(chart: TimeChart) => (number | null)[][]} */
  #dataOf({ series }) {
    return [this.#model.time.at, ...linesOf(series).map(({ values }) => values)];
  }

  /** Shows the section of a chart, and returns its place. @type {(chart: TimeChart) => HTMLElement} */
  #open(chart) {
    const place = element('div', { class: 'plot', role: 'img', 'aria-label': this.#describe(chart) });
    const button = chart.isLog && this.#model.hasRecent ? [this.#recentButton()] : [];
    show(
      chart.id,
      [element('div', { class: 'keys' }), ...button, place],
      chart.isLog ? 'drag to zoom, double-click to reset' : '',
    );
    return place;
  }

  /** Shows the last 15 minutes, by second, or everything. @type {() => HTMLElement} */
  #recentButton() {
    const onclick = () => {
      this.#followsRecent = !this.#followsRecent;
      this.#zoom = this.#followsRecent ? this.#recentRange() : null;
      this.redraw();
    };
    const text = this.#followsRecent ? 'show everything' : 'show the last 15 minutes by second';
    return element('p', { class: 'exports' }, element('button', { type: 'button', text, onclick }));
  }

  /** @type {() => { min: number, max: number }} seconds */
  #recentRange() {
    return { min: Math.max(0, this.#end - RECENT_S), max: this.#end };
  }

  /** @type {(chart: TimeChart, place: HTMLElement) => void} */
  #draw(chart, place) {
    const plot = new uPlot(this.#optionsOf(chart, place.clientWidth), this.#dataOf(chart), place);
    this.#plots.set(chart.id, plot);
    if (this.#zoom) plot.setScale('x', this.#zoom);
    byId(chart.id).dataset.points = String(this.#model.time.at.length);
    this.#writeLegend(chart, null);
  }

  /** The chart in words, for people who do not see it. @type {(chart: TimeChart) => string} */
  #describe({ id, isLog, series, write }) {
    const parts = series.flatMap(({ name, values }) => {
      const known = values.flatMap((value) => value ?? []);
      // A load that never started has no planned rate.
      if (known.length === 0) return [];
      return `${name} from ${write(Math.min(...known))} to ${write(Math.max(...known))}`;
    });
    const starts = isLog ? this.#model.starts.map(({ names, at }) => `; ${names} from ${at} s`) : [];
    return `${id.replaceAll('-', ' ')}, ${this.#model.time.at.length} intervals: ${parts.join(', ')}${starts.join('')}`;
  }

  /** @type {(chart: TimeChart, width: number) => import('uplot').Options} */
  #optionsOf(chart, width) {
    return {
      width,
      height: chart.height,
      legend: { show: false },
      cursor: { sync: { key: 'time' }, points: { size: 6 } },
      scales: {
        x: {
          time: false,
          range: (plot, min, max) => this.#rangeOfTime(plot, min, max),
        },
        y: this.#scaleOf(chart),
      },
      axes: [
        { ...axis(), size: 28, values: (_, at) => at.map((s) => `${s} s`) },
        { ...axis(), size: 56, ...this.#valuesOf(chart) },
      ],
      series: [{}, ...linesOf(chart.series).map((one) => this.#seriesOf(one))],
      hooks: {
        drawClear: [(plot) => chart.isLog && this.#drawHeat(plot)],
        draw: [(plot) => chart.isLog && this.#drawLines(plot), (plot) => chart.isLog && this.#drawStarts(plot)],
        setCursor: [(plot) => this.#writeLegend(chart, plot.cursor.idx ?? null)],
        setScale: [(plot, key) => key === 'x' && this.#follow(plot)],
      },
    };
  }

  /** @type {(series: TimeSeries & { isHalo?: boolean }) => import('uplot').Series} */
  #seriesOf({ color: key, isArea, isBars, isHalo, isDashed }) {
    const line = lineOf(key);
    if (isBars) return { ...line, fill: line.stroke, width: 0, paths: uPlot.paths.bars?.({ size: [0.8, 12] }) };
    if (isHalo) return { ...line, width: 4.5 };
    if (isDashed) return { ...line, width: 1, dash: [4, 4], points: { show: false } };
    return {
      ...line,
      points: { show: this.#model.time.at.length < 3 },
      ...(isArea && { fill: `${line.stroke}2e` }),
    };
  }

  /** @type {(chart: TimeChart) => import('uplot').Scale} */
  #scaleOf({ isLog, highest }) {
    if (!isLog)
      return {
        range: (_plot, _min, max) => [0, highest ?? (max || 1) * 1.08],
      };
    return { distr: 3, range: () => this.#rangeOfTimes() };
  }

  /**
   * Returns the range of the whole run if there is no zoom: uPlot then asks for that from the first to the last point.
   * @type {(plot: any, min: number, max: number) => [number, number]}
   */
  #rangeOfTime({ data: [at] }, min, max) {
    const isWhole = min === at[0] && max === at[at.length - 1];
    return isWhole ? [0, this.#end] : [min, max];
  }

  /** Returns the ends of the axis of times: those of the heat map, or of the series. @type {() => [number, number]} */
  #rangeOfTimes() {
    const { p50, p99, max } = this.#model.time;
    const lines = this.#model.lines.map((line) => line.ms);
    const times = [...p50, ...p99, ...max].flatMap((value) => (value !== null && value > 0 ? [value] : []));
    // A run whose iterations all fail has no times.
    if (times.length === 0) times.push(1);
    const low = this.#model.heat?.low ?? Math.min(...times) / 1.5;
    const high = this.#model.heat?.high ?? Math.max(...times) * 1.5;
    return [Math.min(low, ...lines), Math.max(high, ...lines.map((value) => value * 1.2))];
  }

  /** @type {(chart: TimeChart) => Partial<import('uplot').Axis>} */
  #valuesOf({ isLog, highest, isBytes }) {
    if (isLog)
      return {
        splits: () => timeTicks(...this.#rangeOfTimes()),
        filter: (_, splits) => splits,
        values: (_, splits) => splits.map(timeLabel),
      };
    if (isBytes) return { values: (_, splits) => splits.map(bytes) };
    return highest === 1
      ? {
          values: (_, splits) => splits.map((share) => `${Math.round(share * 100)} %`),
        }
      : {};
  }

  /** Zooms all charts like one of them, whose time axis has changed. @type {(plot: any) => void} */
  #follow({ scales: { x } }) {
    const isWhole = x.min === 0 && x.max === this.#end;
    const isKnown = this.#zoom === null ? isWhole : x.min === this.#zoom.min && x.max === this.#zoom.max;
    // This class has set it: new data, the button, or this method for another chart.
    if (isKnown) return;
    const zoom = { min: x.min, max: x.max };
    this.#followsRecent = false;
    this.#zoom = isWhole ? null : zoom;
    for (const other of this.#plots.values())
      if (other.scales.x.min !== zoom.min || other.scales.x.max !== zoom.max) other.setScale('x', zoom);
  }

  /**
   * Writes the values at the cursor; without it those of the whole run, or, while it runs, of the last interval.
   * @type {(chart: TimeChart, index: number | null) => void}
   */
  #writeLegend(chart, index) {
    const { isLive, time } = this.#model;
    const place = byId(chart.id).querySelector('.keys');
    const isWhole = index === null && !isLive;
    const i = index ?? time.at.length - 1;
    const entries = chart.series.map(({ name, color: swatch, values, whole }) => ({
      name,
      color: swatch,
      // Newer data may have no point at the cursor.
      value: chart.write(isWhole ? whole : (values[i] ?? null)),
    }));
    if (chart.isLog) {
      for (const line of this.#model.lines) entries.push({ name: 'threshold', color: 'bad', value: line.label });
      if (this.#model.heat) entries.push({ name: 'darker: more iterations', color: 'heat', value: '' });
    }
    const where = index === null ? 'last interval' : `around ${time.at[i]} s`;
    const text = isWhole ? 'whole run' : where;
    place?.replaceChildren(legend(entries), element('span', { class: 'quiet small', text }));
  }

  /** Draws how many iterations ended in each interval and band of times. @type {(plot: any) => void} */
  #drawHeat(plot) {
    if (!this.#model.heat) return;
    const { interval, low, high, bands, levels, columns } = this.#model.heat;
    const { ctx, bbox } = plot;
    const perBand = (high / low) ** (1 / bands);
    const edges = Array.from({ length: bands + 1 }, (_, band) => plot.valToPos(low * perBand ** band, 'y', true));
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = color('--one');
    columns.forEach((column, i) => {
      const from = plot.valToPos((i * interval) / 1000, 'x', true);
      const to = plot.valToPos(((i + 1) * interval) / 1000, 'x', true);
      // Each character is the level of a band, in base 36.
      for (let band = 0; band < column.length; band++) {
        const level = parseInt(column[band], 36);
        if (level === 0) continue;
        ctx.globalAlpha = heatOpacity(level / levels);
        ctx.fillRect(from, edges[band + 1], to - from, edges[band] - edges[band + 1]);
      }
    });
    ctx.restore();
  }

  /** The thresholds as dashed lines. @type {(plot: any) => void} */
  #drawLines({ ctx, bbox, valToPos }) {
    ctx.save();
    ctx.strokeStyle = color('--bad');
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    for (const line of this.#model.lines) {
      const y = valToPos(line.ms, 'y', true);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  /** Draws vertical lines with names, in rows so that they do not cover each other. @type {(plot: any) => void} */
  #drawStarts({ ctx, bbox, valToPos }) {
    const size = 11 * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = color('--quiet');
    ctx.lineWidth = devicePixelRatio;
    ctx.font = `${size}px sans-serif`;
    ctx.textBaseline = 'top';
    this.#model.starts.forEach(({ names, at }, i) => {
      const x = valToPos(at, 'x', true);
      const isLeft = x + ctx.measureText(names).width + size > bbox.left + bbox.width;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.textAlign = isLeft ? 'right' : 'left';
      ctx.fillText(names, x + (isLeft ? -0.4 : 0.4) * size, bbox.top + (0.3 + 1.3 * (i % START_ROWS)) * size);
    });
    ctx.restore();
  }
}

/**
 * Returns the lines of a chart: those above a heat map have a halo below them.
 * @type {(series: TimeSeries[]) => (TimeSeries & { isHalo?: boolean })[]}
 */
function linesOf(series) {
  return series.flatMap((one) => (one.hasHalo ? [{ ...one, color: 'ground', isHalo: true }, one] : [one]));
}
