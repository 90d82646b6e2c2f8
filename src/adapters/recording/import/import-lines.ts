import type { ImportCounts, ImportFacts } from '#adapters/recording/manifest.ts';
import { DAY_MS } from '#domain/utc-day.ts';

/** What imported prices are and what was left out of them, in a sentence each, for the import and for every result that rests on them. */
export function importLines({ files, format, barMs, barPath, priceIs, spreadBps, crossedRows, counts }: ImportFacts): readonly string[] {
  const what = barMs === null ? 'ticks' : `bars of ${widthText(barMs)}`;
  const kind = barMs === null || format === 'bid and ask bars' ? '' : ` (${format})`;
  const lines = [`prices of ${files.join(' and ')}${kind}: ${what}, imported; nobody offered them for an order`];
  if (barPath === 'close') {
    lines.push('a bar is one quote, its last price at its end: stops and limits see nothing of what was in between');
  } else if (barPath === 'worst') {
    lines.push(
      'a bar is two quotes at its end: first its lowest bid and highest ask, the worst for whatever is held, seen by stops and limits alone, then its last price',
    );
  }
  if (priceIs !== null) lines.push(`a spread of ${spreadBps} bps is assumed around one price a row, taken for the ${priceIs}`);
  return [...lines, countsLine(counts, crossedRows)];
}

function countsLine(counts: ImportCounts, crossedRows: ImportFacts['crossedRows']): string {
  const { rows, crossed, locked, unordered, repeated, equalTime, bad, unfinished, replaced, misshapen, unpaired } = counts;
  const always = [`${crossed} crossed (${crossedRows})`, `${locked} locked`, `${unordered} unordered`, `${repeated} repeated`];
  const some = [
    [equalTime, 'of equal time'],
    [bad, 'unreadable and dropped'],
    [unfinished, 'unfinished and dropped'],
    [replaced, 'replaced by a later row of the same time'],
    [misshapen ?? 0, 'with a last price outside of their range'],
    [unpaired, 'on one side alone and dropped'],
  ] as const;
  return `${rows} rows: ${[...always, ...some.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)].join(', ')}`;
}

const UNITS = [
  [DAY_MS, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

function widthText(ms: number): string {
  const [unit, name] = UNITS.find(([one]) => ms % one === 0) ?? [1, 'ms'];
  return `${ms / unit}${name}`;
}
