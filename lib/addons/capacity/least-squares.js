/**
 * @typedef {{ x: number[], y: number, weight: number }} Row
 *
 * @typedef {object} Fit
 * @property {number[]} values the parameters
 * @property {number[][]} inverse of the normal matrix: times the variance of a value of weight 1, their covariance
 * @property {number} deviation standard deviation of a value of weight 1
 * @property {number} df degrees of freedom
 */

/** Fits y = x · parameters. @type {(rows: Row[]) => Fit | null} null if they do not determine the parameters */
export function leastSquares(rows) {
  const size = rows[0].x.length;
  const sums = (/** @type {(row: Row) => number} */ of) => rows.reduce((sum, row) => sum + row.weight * of(row), 0);
  const normal = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_unused, j) => sums(({ x }) => x[i] * x[j])),
  );
  const inverse = inverseOf(normal);
  if (inverse === null) return null;
  const right = Array.from({ length: size }, (_, i) => sums(({ x, y }) => x[i] * y));
  const values = inverse.map((row) => row.reduce((sum, cell, j) => sum + cell * right[j], 0));
  const df = rows.length - size;
  const squares = sums(({ x, y }) => (y - x.reduce((sum, cell, j) => sum + cell * values[j], 0)) ** 2);
  return { values, inverse, deviation: Math.sqrt(squares / df), df };
}

/** By Gauss and Jordan, with pivots. @type {(matrix: number[][]) => number[][] | null} null if it has none */
function inverseOf(matrix) {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < size; i++) {
    const column = rows.slice(i).map((row) => Math.abs(row[i]));
    const pivot = i + column.indexOf(Math.max(...column));
    if (!(Math.abs(rows[pivot][i]) > 1e-12 * Math.abs(matrix[i][i]))) return null;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    const own = rows[i].map((cell) => cell / rows[i][i]);
    rows.forEach((row, j) => {
      rows[j] = j === i ? own : row.map((cell, k) => cell - row[i] * own[k]);
    });
  }
  return rows.map((row) => row.slice(size));
}
