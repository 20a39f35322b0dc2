/** measured-core has no types: this is the part of its meter that user-metrics.js extends. */
declare module 'measured-core/lib/metrics/Meter.js' {
  export default class Meter {
    mark(count?: number): void;
    end(): void;
    toJSON(): import('../contracts/summaries.js').MeterSummary;
  }
}
