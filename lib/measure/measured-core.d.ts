declare module 'measured-core/lib/metrics/Meter.js' {
  export default class Meter {
    mark(count?: number): void;
    end(): void;
    toJSON(): import('../contracts/summaries.js').MeterSummary;
  }
}
