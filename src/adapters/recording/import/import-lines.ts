import type { ImportCounts, ImportFacts, ImportRepeatedHours, ImportSpread, ImportTimes } from '#adapters/recording/manifest.ts';
import { clockChangeText } from '#domain/clock-change.ts';
import { durationText } from '#domain/duration-text.ts';
import { isoTime } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { PriceIs } from './row.ts';

/** Where the two sides of a row with one price are put. */
const SIDES: Readonly<Record<PriceIs, string>> = {
  mid: 'the one price of a row is the mid; bid and ask are half the spread below and above it',
  bid: 'the one price of a row is the bid; the ask is the spread above it',
  ask: 'the one price of a row is the ask; the bid is the spread below it',
};

/** What imported prices are and what was left out of them, in a sentence each, for the import and for every result that rests on them. */
export const importLines = (facts: ImportFacts): readonly string[] => linesAlike(facts, [facts]);

/** The same of several imports of one lane: those that differ in files, counts, gaps, narrow bars, spikes, repeated hours and the figures of spreads alone are told together. */
export function linesOfImports(imports: readonly ImportFacts[]): readonly string[] {
  const alike = Map.groupBy(imports, ({ files, counts, gaps, narrow, spikes, repeatedHours, spread, highest, staleMs, validMs, ...said }) =>
    JSON.stringify([said, spread?.column, spread?.point]),
  );
  return [...alike.values()].flatMap((all) => (all[0] ? linesAlike(all[0], all) : []));
}

/** That bars may be wider than somebody said, a line a width, with what to type. */
export function narrowLines(imports: readonly ImportFacts[]): readonly string[] {
  const found = imports.flatMap((one) => (one.narrow && one.barMs !== null ? [{ ...one.narrow, saidMs: one.barMs, one }] : []));
  return [...Map.groupBy(found, ({ saidMs }) => saidMs / 1000)].map(([said, all]) => {
    const total = (what: 'rows' | 'of'): number => all.reduce((sum, one) => sum + one[what], 0);
    const nearest = Math.min(...all.map(({ nearestMs }) => nearestMs)) / 1000;
    const wide = Math.ceil(Math.max(...all.map(({ wideMs }) => wideMs)) / 1000);
    const apart =
      nearest > said
        ? `no row is nearer than ${nearest} s to the next`
        : `the next row is further away after ${total('rows')} of ${total('of')} rows`;
    const files = filesText(all.map(({ one }) => one));
    return `--bar ${said} of ${files}: closes count ${said} s after the times of their bars, though ${apart}: where bars last longer, a backtest sees the future; import again with --bar ${wide}`;
  });
}

/** The lines of imports that are told together. */
function linesAlike(first: ImportFacts, all: readonly ImportFacts[]): readonly string[] {
  const { format, barMs, barPath, times, priceIs, spreadBps, feePct, feeAssumed, sizeAssumed, crossedRows } = first;
  const what = barMs === null ? 'ticks' : `bars of ${widthText(barMs)}`;
  const kind = barMs === null || format === 'bid and ask bars' ? '' : ` (${format})`;
  const firm = durationText(Math.max(...all.map(({ validMs }) => validMs)));
  const lines = [
    `prices of ${filesText(all)}${kind}: ${what}, imported; they were never offered for an order, and are taken as firm for ${firm}: a latency below that worsens no fill`,
  ];
  if (barPath === 'close') {
    lines.push('a bar is one quote, its last price at its end: stops and limits do not see the prices within the bar');
  } else if (barPath === 'worst') {
    lines.push(
      'a bar is two quotes at its end: first its lowest bid and highest ask, the worst prices for any position, which only stops and limits see, then its last price',
    );
  }
  if (first.stamp === 'end') lines.push('the times of the file are the ends of its bars');
  if (times) lines.push(`times: ${timesText(times)}${format === 'metatrader' && times.from === 'assumed' ? BROKERS_WRITE : ''}`);
  for (const hours of all.flatMap((one) => one.repeatedHours ?? [])) lines.push(repeatedText(hours));
  const spreads = all.flatMap((one) => one.spread ?? []);
  if (priceIs !== null && spreads.length > 0) lines.push(...spreadLines(spreads, { priceIs, format }));
  else if (priceIs !== null) lines.push(`a spread of ${spreadBps} bps is assumed: ${SIDES[priceIs]}`);
  if (feeAssumed) lines.push(`a fee of ${feePct} % is assumed; --fee-pct of data import sets another`);
  if (sizeAssumed !== undefined) {
    const means = 'larger amounts fill at modelled prices, worse by backtest.slippagePct with each doubling';
    lines.push(`a size of ${sizeAssumed} is assumed, in base currency: ${means}; --size of data import sets another`);
  }
  const sizes = [...new Set(all.flatMap((one) => one.sizes ?? []))];
  if (sizes.length > 0) lines.push(`${sizes.join(' and ')} are not used: each quote has the size of its lane`);
  const gaps = all.flatMap((one) => one.gaps ?? []);
  const [longestGap] = gaps.toSorted((a, b) => b.ms - a.ms);
  if (longestGap) {
    const total = gaps.reduce((sum, { count }) => sum + count, 0);
    const count = total === 1 ? '1 gap' : `${total} gaps`;
    const longest = `${durationText(longestGap.ms)} from ${isoTime(longestGap.fromAt)}`;
    lines.push(`${count} of more than ten bars, the longest ${longest}: no quotes are played within them`);
  }
  for (const spikes of all.flatMap((one) => one.spikes ?? [])) {
    const { count, at, what, price, before, after } = spikes;
    const far = `${count === 1 ? '1 bar has' : `${count} bars have`} a price more than 20 usual moves away from both neighbours`;
    lines.push(
      `${far}, which was kept: ${count === 1 ? '' : 'the furthest is '}${what} ${price} in the bar of ${isoTime(at)}, between ${before} and ${after}`,
    );
  }
  return [
    ...lines,
    countsLine(
      all.map(({ counts }) => counts),
      crossedRows,
      sizes.length > 0 ? 'repeated in time and prices' : 'repeated',
    ),
  ];
}

/** The files of one import are those of both sides; of several the first and the last are named. */
function filesText(all: readonly ImportFacts[]): string {
  const files = all.flatMap((one) => one.files);
  return all.length === 1 || files.length === 1 ? files.join(' and ') : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
}

const BROKERS_WRITE = ', and most brokers write UTC+2, and UTC+3 while New York has summer time';

function timesText({ zone, from, title, maker, makerZone, unused }: ImportTimes): string {
  const spare = unused === undefined ? '' : `, so that --zone ${unused} changes nothing`;
  switch (from) {
    case 'count':
      return `counted since 1970, in UTC${spare}`;
    case 'file':
      return `in the zone that each names${spare}`;
    case 'title':
      return `UTC, as their column '${title}' says`;
    case 'format':
      return `${zone}, as ${maker} writes them; --zone of data import sets another`;
    case 'said':
      return `${zone}, as --zone says${maker === undefined ? '' : `; ${maker} itself writes ${makerZone}`}`;
    case 'assumed':
      return 'UTC, assumed; --zone of data import sets another';
  }
}

/** The spreads that files have, alike but for their figures. */
function spreadLines(
  spreads: readonly ImportSpread[],
  { priceIs, format }: { readonly priceIs: PriceIs; readonly format: string },
): readonly string[] {
  const { column = '', point = '1' } = spreads[0] ?? {};
  const medians = spreads.map(({ medianBps }) => medianBps);
  const [least, most] = [Math.min(...medians), Math.max(...medians)];
  const [low, high] = [Math.min(...spreads.map(({ lowBps }) => lowBps)), Math.max(...spreads.map(({ highBps }) => highBps))];
  const median = least === most ? `median ${least} bps` : `median ${least} to ${most} bps a file`;
  const unit = point === '1' ? 'in price' : `of ${point} each`;
  return [
    `the spread of each row is the file's, column '${column}' ${unit} (${median}, from ${low} to ${high}): ${SIDES[priceIs]}`,
    ...(format === 'metatrader' ? ['MetaTrader keeps one spread of a bar, often the lowest: costs by it are a lower bound'] : []),
  ];
}

function repeatedText({ rows, changes, change }: ImportRepeatedHours): string {
  const more = changes === 1 ? '' : changes === 2 ? ', and at another change' : `, and at ${changes - 1} other changes`;
  const what = rows === 1 ? '1 row of a time that came twice is' : `${rows} rows of times that came twice are`;
  return `${what} taken for the first time, since the order of rows does not tell: ${clockChangeText(change)}${more}`;
}

function countsLine(all: readonly ImportCounts[], crossedRows: ImportFacts['crossedRows'], repeated: string): string {
  const total = (what: keyof ImportCounts): number => all.reduce((sum, counts) => sum + (counts[what] ?? 0), 0);
  const always = [
    `${total('crossed')} crossed (${crossedRows})`,
    `${total('locked')} locked`,
    `${total('unordered')} unordered`,
    `${total('repeated')} ${repeated}`,
  ];
  const some = [
    ['equalTime', 'of equal time'],
    ['bad', 'unreadable and dropped'],
    ['unfinished', 'unfinished and dropped'],
    ['replaced', 'replaced by a later row of the same time'],
    ['unpaired', 'on one side alone and dropped'],
  ] as const;
  const found = some.flatMap(([what, words]) => (total(what) > 0 ? [`${total(what)} ${words}`] : []));
  return `${total('rows')} rows: ${[...always, ...found].join(', ')}`;
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
