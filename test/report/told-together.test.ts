import { expect, test } from 'vitest';
import { headline, note } from '#report/headline.ts';
import { caveatTexts, toldTogether } from '#report/told-together.ts';

const played = (lane: string, file: string, rest: string) =>
  headline('PLAYED', `${lane.split('@')[0]}: plays ${lane}, imported from ${file}: ${rest}`, { level: 'note' });

test('what is the same of several products is one line, and nothing else is left out or changed', () => {
  const span = '60 quotes from 2026-10-05T00:01:00.000Z to 2026-10-06T00:00:00.000Z';
  const [a, b] = [played('btcusd@base:0.1', 'a.csv', span), played('btceur@base:0.1', 'b.csv', span)];
  const other = played('nikjpy@base:10', 'n.csv', '40 quotes from 2026-10-05T00:01:00.000Z to 2026-10-05T12:00:00.000Z');
  const warned = ['btcusd', 'btceur'].map((one) => headline('LEFT_OUT', `${one}: leaves out 3 quotes`));
  expect(toldTogether([a, b, other, ...warned])).toEqual([
    `plays ${span}, of each of btcusd@base:0.1 (imported from a.csv), btceur@base:0.1 (imported from b.csv)`,
    other.text,
    ...warned.map(({ text }) => text),
  ]);
  const rest = '(ohlc): bars of 1m, imported';
  const notes = [
    ...['no market impact is assumed', `btcusd: prices of a.csv ${rest}`, 'btcusd: 5 gaps', `btceur: prices of b.csv ${rest}`],
    ...['btceur: 5 gaps', 'nikjpy: 6 gaps', 'the limits of btcusd were not recorded: none are used'],
    ...['the limits of btceur were not recorded: none are used', "the limits of nikjpy were not recorded: the paper venue's are used"],
  ].map(note);
  expect(caveatTexts(notes)).toEqual([
    'no market impact is assumed',
    'prices of btcusd of a.csv (ohlc), btceur of b.csv (ohlc): bars of 1m, imported',
    'btcusd, btceur: 5 gaps',
    'nikjpy: 6 gaps',
    'the limits of btcusd, btceur were not recorded: none are used',
    "the limits of nikjpy were not recorded: the paper venue's are used",
    'what is said of several products at once: 9 notes, each in --json',
  ]);
  expect(toldTogether(['eurgbp: zone UTC', 'eurusd: zone UTC', 'eurusd: zone UTC'].map(note))).toEqual(['eurgbp, eurusd: zone UTC']);
  expect(caveatTexts([note('no market impact is assumed')])).toEqual(['no market impact is assumed']);
});
