import { readFileSync } from 'node:fs';

/** A numbered line of docs/faults.md or docs/invariants.md: its text, and for a fault the required reaction. */
export interface CatalogueLine {
  readonly what: string;
  readonly happens: string;
}

const FILES = ['faults', 'invariants'].map((name) => new URL(`../../../../docs/${name}.md`, import.meta.url));
const ROW = /^- ([FI]\d\d[a-z]?): (.+?)(?: → (.+))?$/gm;

/** The faults and invariants by number, in the words of their pages. */
export function numbersTold(): ReadonlyMap<string, CatalogueLine> {
  const rows = FILES.flatMap((file) => [...(readFileSync(file, 'utf8').split('## Without a test')[0] ?? '').matchAll(ROW)]);
  return new Map(rows.map(([, number = '', what = '', happens = '']) => [number, { what: plain(what), happens: plain(happens) }]));
}

const plain = (text: string): string => text.replaceAll('`', '');
