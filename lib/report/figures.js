/** Milliseconds as people read them: three digits that count, and no exponent. @type {(value: number | null) => string} */
export function ms(value) {
  if (value === null) return '-';
  // by what is shown: 9.999 is 10.0, not 10.00
  const digits = [3, 2, 1].find((some) => Number(value.toFixed(some)) < 10 ** (3 - some)) ?? 0;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @type {(value: number | null) => string} */
export function count(value) {
  return value === null ? '-' : Math.round(value).toLocaleString('en');
}

/** A rate: whole from 1,000, with two digits behind the point below 10. @type {(value: number | null) => string} */
export function rate(value) {
  if (value === null) return '-';
  // by what is shown, as above
  const digits = Number(value.toFixed(2)) < 10 ? 2 : Number(value.toFixed(1)) < 1000 ? 1 : 0;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `1.5 MB`. @type {(value: number) => string} */
export function bytes(value) {
  const step = UNITS.findIndex((_, i) => Number((value / 1000 ** i).toFixed(1)) < 1000 || i === UNITS.length - 1);
  return step === 0 ? `${value} B` : `${(value / 1000 ** step).toFixed(1)} ${UNITS[step]}`;
}

/** @type {(share: number) => string} */
export function percent(share) {
  const value = share * 100;
  return `${value > 0 && value < 0.1 ? '< 0.1' : value.toFixed(value > 0 && Number(value.toFixed(1)) < 10 ? 1 : 0)} %`;
}

/** The value below which a share of them lies (nearest rank); null of none. @type {(values: number[], share: number) => number | null} */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
