import { createHash } from 'node:crypto';

/** Which mutants are tried: a share of them all from 0 to 1, and which by a seed. */
export interface Sample {
  readonly share: number;
  readonly seed: string;
}

interface Place {
  readonly file: string;
  /** From 0. */
  readonly start: { readonly line: number; readonly column: number };
  readonly replacement?: string | undefined;
}

/** Whether a mutant belongs to the sample; `file` may begin with any folder that the project lies in. */
export function isSampled({ file, start, replacement = '' }: Place, { share, seed }: Sample): boolean {
  if (share >= 1) return true;
  const text = [seed, file.slice(file.indexOf('src/')), start.line, start.column, replacement].join('\n');
  return createHash('sha256').update(text).digest().readUInt32BE() < share * 2 ** 32;
}
