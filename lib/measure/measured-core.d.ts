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

declare module 'measured-core/lib/metrics/Timer.js' {
  import Meter from 'measured-core/lib/metrics/Meter.js';

  interface Histogram {
    update(ms: number): void;
    toJSON(): object;
  }
  export default class Timer {
    constructor(properties: { meter: Meter; histogram: Histogram });
    start(): { end(): number | null };
    update(ms: number): void;
    end(): void;
    toJSON(): { meter: ReturnType<Meter['toJSON']>; histogram: object };
  }
}
