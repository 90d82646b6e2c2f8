import { readFileSync } from 'node:fs';

/** A numbered line of docs/faults.md: its text, and for a fault the required reaction. */
export interface Numbered {
  readonly what: string;
  readonly happens: string;
}

const FILE = new URL('../../../../docs/faults.md', import.meta.url);
const ROW = /^- ([FI]\d\d[a-z]?): (.+?)(?: → (.+))?$/gm;

/** The faults and invariants of docs/faults.md by number, in its words. */
export function numbersTold(): ReadonlyMap<string, Numbered> {
  const [numbers = ''] = readFileSync(FILE, 'utf8').split('## Without a test');
  const rows = numbers.matchAll(ROW);
  return new Map([...rows].map(([, number = '', what = '', happens = '']) => [number, { what: plain(what), happens: plain(happens) }]));
}

const plain = (text: string): string => text.replaceAll('`', '');
