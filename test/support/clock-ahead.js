// node --import: the wall clock of this process, and of its threads, is ahead by CLOCK_AHEAD ms
const ahead = Number(process.env.CLOCK_AHEAD);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + ahead] : given));
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
const { timeOrigin } = performance;
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + ahead });
