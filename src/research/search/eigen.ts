import { figureAt } from '#domain/figure-at.ts';

/** Sweeps over all pairs; ten are many for a matrix of some dozens of rows. */
const SWEEPS = 60;

/** Eigenvalues of a symmetric matrix and, as columns, its eigenvectors (Jacobi 1846). */
export function eigenOf(matrix: readonly (readonly number[])[]): {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
} {
  const n = matrix.length;
  const a = matrix.map((row) => Float64Array.from(row));
  const v = matrix.map((_, i) => Float64Array.from({ length: n }, (_unused, j) => (i === j ? 1 : 0)));
  const at = (rows: readonly Float64Array[], i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    let rest = 0;
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rest += at(a, p, q) ** 2;
    if (rest < 1e-300) break;
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        if (at(a, p, q) === 0) continue;
        const theta = (at(a, q, q) - at(a, p, p)) / (2 * at(a, p, q));
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const rotation = [c, t * c] as const;
        turnColumns(a, [p, q], rotation);
        turnRows([a[p], a[q]], rotation);
        turnColumns(v, [p, q], rotation);
      }
    }
  }
  return { values: a.map((row, i) => figureAt(row, i)), vectors: v.map((row) => [...row]) };
}

type Rotation = readonly [cosine: number, sine: number];

/** Turns two columns into each other. */
function turnColumns(rows: readonly Float64Array[], [p, q]: readonly [number, number], [c, s]: Rotation): void {
  for (const row of rows) {
    const [x, y] = [figureAt(row, p), figureAt(row, q)];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
}

/** Turns two rows into each other. */
function turnRows([first, second]: readonly [Float64Array | undefined, Float64Array | undefined], [c, s]: Rotation): void {
  if (!first || !second) return;
  for (let k = 0; k < first.length; k += 1) {
    const [x, y] = [figureAt(first, k), figureAt(second, k)];
    first[k] = c * x - s * y;
    second[k] = s * x + c * y;
  }
}
