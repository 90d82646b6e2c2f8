import type { ImportCounts, ImportFacts, ImportTimes } from '#adapters/recording/manifest.ts';
import { isoTime } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { PriceIs } from './row.ts';

/** Where the two sides of a row with one price are put. */
const SIDES: Readonly<Record<PriceIs, string>> = {
  mid: 'the one price of a row is the mid, and bid and ask are half of it below and above',
  bid: 'the one price of a row is the bid, and the ask is all of it above',
  ask: 'the one price of a row is the ask, and the bid is all of it below',
};

/** What imported prices are and what was left out of them, in a sentence each, for the import and for every result that rests on them. */
export function importLines(facts: ImportFacts): readonly string[] {
  const { files, format, barMs, barPath, priceIs, spreadBps, feeAssumed, gaps, spikes, crossedRows, counts } = facts;
  const what = barMs === null ? 'ticks' : `bars of ${widthText(barMs)}`;
  const kind = barMs === null || format === 'bid and ask bars' ? '' : ` (${format})`;
  const lines = [`prices of ${files.join(' and ')}${kind}: ${what}, imported; they were never offered for an order`];
  if (barPath === 'close') {
    lines.push('a bar is one quote, its last price at its end: stops and limits do not see the prices within the bar');
  } else if (barPath === 'worst') {
    lines.push(
      'a bar is two quotes at its end: first its lowest bid and highest ask, the worst prices for any position, which only stops and limits see, then its last price',
    );
  }
  if (facts.times) lines.push(`times: ${timesText(facts.times)}`);
  if (priceIs !== null) lines.push(`a spread of ${spreadBps} bps is assumed: ${SIDES[priceIs]}`);
  if (feeAssumed) lines.push(`a fee of ${facts.feePct} % is assumed; --fee-pct of data import sets another`);
  if (facts.sizeAssumed !== undefined) {
    const means = 'larger amounts fill at modelled prices, worse by backtest.slippagePct with each doubling';
    lines.push(`a size of ${facts.sizeAssumed} is assumed, in base currency: ${means}; --size of data import sets another`);
  }
  if (gaps) {
    const count = gaps.count === 1 ? '1 gap' : `${gaps.count} gaps`;
    const longest = `${durationText(gaps.ms)} from ${isoTime(gaps.fromAt)}`;
    lines.push(`${count} of more than ten bars, the longest ${longest}: no quotes are played within them`);
  }
  if (spikes) {
    const { count, at, what, price, before, after } = spikes;
    const far = `${count === 1 ? '1 bar has' : `${count} bars have`} a price more than 20 usual moves away from both neighbours`;
    lines.push(
      `${far}, which was kept: ${count === 1 ? '' : 'the furthest is '}${what} ${price} in the bar of ${isoTime(at)}, between ${before} and ${after}`,
    );
  }
  return [...lines, countsLine(counts, crossedRows)];
}

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

/** A length of time in its two largest units. */
export function durationText(ms: number): string {
  const [unit, name] = UNITS.find(([one]) => ms >= one) ?? [1, 'ms'];
  const whole = Math.floor(ms / unit);
  const rest = ms - whole * unit;
  return rest < 1000 ? `${whole}${name}` : `${whole}${name} ${durationText(rest).split(' ')[0]}`;
}

function widthText(ms: number): string {
  const [unit, name] = UNITS.find(([one]) => ms % one === 0) ?? [1, 'ms'];
  return `${ms / unit}${name}`;
}
