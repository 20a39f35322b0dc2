declare module 'measured-core/lib/metrics/Meter.js' {
  export default class Meter {
    mark(count?: number): void;
    end(): void;
    toJSON(): {
      mean: number;
      count: number;
      currentRate: number;
      '1MinuteRate': number;
      '5MinuteRate': number;
      '15MinuteRate': number;
    };
  }
}
