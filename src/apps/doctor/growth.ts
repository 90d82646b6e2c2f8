import { existsSync } from 'node:fs';
import path from 'node:path';
import { IN_MEMORY } from '#adapters/journal/files.ts';
import { journalGrowth } from '#adapters/journal/growth.ts';
import type { Settings } from '#config/settings.ts';
import { type Finding, guarded, ok, warn } from './finding.ts';
import type { Machine } from './machine.ts';

/** Days that the disk should last. */
const DAYS = 30;

/** What an order takes in the journal, what a day at the recent rate would take, and how long the disk lasts for it. */
export async function growthFindings(settings: Settings, { freeBytes }: Pick<Machine, 'freeBytes'>): Promise<readonly Finding[]> {
  const { path: file } = settings.journal;
  if (file === IN_MEMORY || !existsSync(file)) return [];
  return guarded('journal size', '`kairos journal verify` says whether it can be read', () => {
    const { bytes, orderBytes, perDay } = journalGrowth(
      file,
      settings.strategies.map(({ id }) => id),
    );
    const parts = [
      `${text(bytes)} now`,
      ...(orderBytes === null ? [] : [`${text(orderBytes)} an order`]),
      ...(perDay === null ? [] : [`${text(perDay.bytes)} a day at the recent rate (${perDay.orders} orders a day)`]),
    ];
    const free = freeBytes(path.dirname(file));
    if (perDay === null || perDay.bytes * DAYS <= free) return [ok('journal size', parts.join(', '))];
    const days = Math.floor(free / perDay.bytes);
    return [
      warn(
        'journal size',
        `${parts.join(', ')}: the disk lasts ${days} ${days === 1 ? 'day' : 'days'}`,
        'make room, fewer orders, or set journal.path to another file at a quiet time',
      ),
    ];
  });
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function text(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const figure = bytes / 1000 ** power;
  return `${power === 0 || figure >= 100 ? Math.round(figure) : figure.toFixed(1)} ${UNITS[power]}`;
}
