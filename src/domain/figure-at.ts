import { invariant } from './errors.ts';

/** The figure of a row. A row that its column does not have is a defect, and throws. */
export function figureAt(column: Float64Array, row: number): number {
  const figure = column[row];
  invariant(figure !== undefined, 'a row beyond its column');
  return figure;
}

/** The same of counts, of numbers of words or lanes, and of rows where something begins. */
export function codeAt(codes: Uint8Array | Int32Array | Uint32Array, place: number): number {
  const code = codes[place];
  invariant(code !== undefined, 'a row beyond its column');
  return code;
}
