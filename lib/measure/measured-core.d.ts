declare module 'measured-core' {
  interface Histogram {
    update(ms: number): void;
    toJSON(): object;
  }
  class Meter {
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
  class Timer {
    constructor(properties: { meter: Meter; histogram: Histogram });
    start(): { end(): number | null };
    update(ms: number): void;
    end(): void;
    toJSON(): { meter: ReturnType<Meter['toJSON']>; histogram: object };
  }
  const measured: { Meter: typeof Meter; Timer: typeof Timer };
  export default measured;
}
