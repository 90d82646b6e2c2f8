import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parquetOf } from '#adapters/recording/parquet-columns.ts';
import { buy, sell, signal, strategy } from '#core/strategy/index.ts';
import { type PastSignal, type SignalSchema, signalSource } from '#domain/outside-signal.ts';
import { signalsIn } from '#research/backtest/signal-file.ts';
import { strategyYaml } from '../../config/support.ts';
import { folderOfTests } from '../../support/folder.ts';
import { RECORDED_FROM } from '../../support/synthetic-recording.ts';
import { FROM, played } from './in-memory.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

const folder = folderOfTests();

const source = signalSource('model');
const wantedOf = {
  schemas: new Map([[source, [{ score: 'number', side: ['buy', 'sell'] } satisfies SignalSchema]]]),
  sources: [{ name: 'model', maxBytes: 1000, perSecond: 10, maxAgeMs: 60_000 }],
};

function file(name: string, content: string | Uint8Array): string {
  const where = path.join(folder, name);
  writeFileSync(where, content);
  return where;
}

const at = (second: number): string => new Date(FROM + second * 1000).toISOString();

describe('a file of signals', () => {
  const wanted: readonly PastSignal[] = [
    { at: FROM + 2000, source, signal: { id: 'a', madeAt: FROM + 1900, value: { score: 0.5, side: 'buy' } } },
    { at: FROM + 4000, source, signal: { id: expect.any(String), madeAt: null, value: { score: -1, side: 'sell' } } },
  ];

  test('is CSV, in the order of arrival, whatever other columns it has', async () => {
    const csv = `at,id,made,score,side,mood\n${at(4)},,,-1,sell,x\n${at(2)},a,${(FROM + 1900) / 1000},"0.5",buy,\n\n`;
    expect(await signalsIn(file('s.csv', csv), wantedOf)).toMatchObject({ signals: wanted, leftOut: new Map() });
  });

  test('is Parquet as well', async () => {
    const bytes = parquetOf(
      2,
      [
        { name: 'at', kind: 'time', values: Float64Array.of(FROM + 4000, FROM + 2000) },
        { name: 'made', kind: 'time', values: Float64Array.of(0, FROM + 1900), present: Uint8Array.of(0, 1) },
        { name: 'id', kind: 'text', values: ['', 'a'] },
        { name: 'source', kind: 'text', values: ['model', 'model'] },
        { name: 'score', kind: 'double', values: Float64Array.of(-1, 0.5) },
        { name: 'side', kind: 'text', values: ['sell', 'buy'] },
      ],
      {},
    );
    expect(await signalsIn(file('s.parquet', bytes), wantedOf)).toMatchObject({ signals: wanted });
    if (process.platform === 'win32') return;
    // The same with a hole before its footer, larger than what can be in memory at once: elsewhere a few blocks on the disk.
    const footer = bytes.length - 8 - Buffer.from(bytes).readUInt32LE(bytes.length - 8);
    const large = openSync(file('large.parquet', bytes.subarray(0, footer)), 'r+');
    writeSync(large, bytes.subarray(footer), 0, bytes.length - footer, 2 ** 32);
    closeSync(large);
    expect(await signalsIn(path.join(folder, 'large.parquet'), wantedOf)).toMatchObject({ signals: wanted });
  });

  test.each([
    ['at,score,side\nyesterday,1,buy\n', /s\.csv:2: at: must be the time of arrival/],
    [`\nat,score,side\n${at(1)},1,buy\n\n${at(1)},high,buy\n`, /s\.csv:5: score: must be a number/],
    [`at,made,score,side\n${at(1)},yesterday,1,buy\n`, /s\.csv:2: made: must be ISO 8601/],
    [`at,score,side\n${at(1)},1,hold\n`, /s\.csv:2: side: must be one of buy, sell/],
  ])('that is wrong is refused by line and field', async (csv, says) => {
    await expect(signalsIn(file('s.csv', csv), wantedOf)).rejects.toThrow(says);
  });
});

const BY_SIGNAL = `import { buy, sell, signal, strategy } from 'kairos/strategy';
export default strategy({
  name: 'by-signal',
  inputs: { model: signal({ schema: { score: 'number' } }) },
  signals: ({ inputs: { model } }) => model,
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

const YAML = `${strategyYaml({ use: 'by-signal' })}${OFF}signals: { sources: [{ name: model, maxAge: 1m }, { name: other }] }\n`;

describe('a backtest with a file of signals', () => {
  const open = (rows: readonly string[], named: { readonly to?: number } = {}) =>
    bench(YAML, {}, { 'by-signal': BY_SIGNAL }).open({ ...named, signals: file('s.csv', `at,made,id,source,score\n${rows.join('\n')}\n`) });
  const time = (second: number): string => new Date(RECORDED_FROM + second * 1000).toISOString();
  const ten = (row: (n: number) => string): readonly string[] => Array.from({ length: 10 }, (_, n) => row(n));

  test.each([
    ['is made too long before', ten((n) => `${time(5 * n + 5)},${time(5 * n - 115)},${n},model,1`), 0, /^0 of 10 .* 10 LATE \(.*maxAge/],
    ['comes before it is made', ten((n) => `${time(5 * n + 5)},${time(5 * n + 125)},${n},model,1`), 0, /^0 of 10 .* 10 EARLY \(/],
    ['came before', ten((n) => `${time(5 * n + 5)},,same,model,1`), 1, /^1 of 10 .* 9 REPEAT \(/],
    [
      'comes with too many',
      ten((n) => `${time(5)},,${n},model,1`).concat(ten((n) => `${time(5.5)},,b${n},model,1`)),
      10,
      /^10 of 20 .* 10 FLOOD \(.*perSecond/,
    ],
    [
      'is of a source without a name in the settings',
      ten((n) => `${time(5 * n + 5)},,${n},modle,1`),
      0,
      /^0 of 10 .* 10 of source modle, .* signals\.sources \(model, other\)$/,
    ],
    [
      'is of a source that no strategy reads',
      [...ten((n) => `${time(5 * n + 5)},,${n},model,1`), `${time(60)},,x,other,1`],
      10,
      /^10 of 11 .* 1 of source other, /,
    ],
  ])('plays none that live refuses, and says so: one that %s', async (_, rows, played, says) => {
    const session = await open(rows);
    expect(ofKind(session.play(), 'signal')).toHaveLength(played);
    expect(session.headlines.filter(({ text }) => text.includes(' signals of '))).toMatchObject([
      { level: 'warning', text: expect.stringMatching(says) },
    ]);
  });

  test.each([
    ['before', -1000, {}, 0, 'warning', /^0 of 10 .* 10 outside of what is played \(2026-/],
    ['after', 1000, {}, 0, 'warning', /^0 of 10 .* 10 outside /],
    ['partly after', 75, {}, 8, 'warning', /^8 of 10 .* 2 outside /],
    ['partly after a time that was named', 0, { to: RECORDED_FROM + 22_000 }, 4, 'note', /^4 of 10 .* 6 outside /],
  ])('says how many come %s what is played', async (_, from, named, played, level, says) => {
    const session = await open(
      ten((n) => `${time(from + 5 * n + 5)},,${n},model,1`),
      named,
    );
    expect(ofKind(session.play(), 'signal')).toHaveLength(played);
    expect(session.headlines.filter(({ text }) => text.includes(' signals of '))).toMatchObject([
      { level, text: expect.stringMatching(says) },
    ]);
  });

  test.each(['', '\n\n', 'at,made,id,source,score\n'])('refuses one without signals: %j', async (text) => {
    await expect(signalsIn(file('s.csv', text), wantedOf)).rejects.toMatchObject({ code: 'DATA_UNREADABLE' });
  });

  test('of which live takes all plays all, and says nothing of them', async () => {
    const session = await open(ten((n) => `${time(5 * n + 5)},${time(5 * n + 4)},${n},model,1`));
    expect(ofKind(session.play(), 'signal')).toHaveLength(10);
    expect(session.headlines.filter(({ text }) => text.includes(' signals of '))).toEqual([]);
  });
});

const definition = strategy({
  name: 'x',
  inputs: { model: signal({ schema: { side: ['buy', 'sell'] }, staleAfter: '10s' }) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { inputs: { model }, position, amount }) => {
    if (model?.value.side === 'buy' && position.isFlat) return buy(amount, `after ${model.age} ms`);
    return model?.value.side === 'sell' && position.isLong ? sell('position', 'sell') : undefined;
  },
});

test('a backtest plays signals at their arrival, in spans as quote by quote', () => {
  const signals = [
    [1_300, 'buy'],
    [61_050, 'sell'],
    [120_000, 'buy'],
  ] as const;
  const inputs = signals.map(([after, side], n) => ({
    at: FROM + after,
    event: { kind: 'signal', source, signal: { id: `${n}`, madeAt: null, value: { side } } } as const,
  }));
  const quotes = Array.from({ length: 400 }, () => ({ afterMs: 500, livesMs: 3000 }));
  const run = (everyQuote: boolean) => played({ quotes, definition, latencyMs: 20, inputs, everyQuote });
  const { decisions } = run(true);
  const orders = decisions.flatMap((one) => (one.kind === 'intent' ? [`${one.detail.side} ${one.at - FROM} ${one.detail.why}`] : []));
  expect(orders).toEqual(['buy 1500 after 200 ms', 'sell 61500 sell', 'buy 120000 after 0 ms']);
  expect(decisions.filter(({ kind }) => kind === 'signal')).toHaveLength(3);
  expect(run(false).decisions).toEqual(decisions);
});
