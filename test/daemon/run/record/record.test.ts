import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import { openColumns } from '#adapters/recording/open-columns.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startRecording } from '#daemon/run/record/record.ts';
import { amountOf, type Lane, laneFor, type ShownInput, shownInput } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { configOf } from '../../../config/support.ts';
import { newFolder } from '../../../support/folder.ts';

const BTC = laneFor(productCode('btcusd'), amountOf({ base: '0.01' }));
const EUR = laneFor(productCode('eurusd'), amountOf({ quote: '1000' }));

function record(dir: string, lanes: readonly Lane[], shown: readonly ShownInput[] = []) {
  const { settings } = configOf('venue: { quotesPerSecond: 100, database: ":memory:" }');
  const recording = { enabled: true, dir, keepDays: 90 };
  const errors: unknown[] = [];
  const started = startRecording({
    mode: 'paper',
    settings: { ...settings, recording },
    lanes,
    shown,
    timers: systemTimers,
    notice: () => {},
    onFault: (error) => errors.push(error),
  });
  return { started, errors };
}

describe('recording without trading', () => {
  test('quotes of all lanes are recorded, sealed at the end, whole, and ready for a backtest', async () => {
    const dir = newFolder();
    const { started, errors } = record(dir, [BTC, EUR]);
    const recording = await started;
    const log = logPath(dir, recording.run);
    const quoted = () => columnsOf(openRun(log).items()).map(({ length }) => length);
    await vi.waitFor(() => expect(quoted().filter((length) => length > 20)).toHaveLength(2), 100_000);
    expect(recording.quotes()).toBeGreaterThan(40);
    const bytes = await recording.stop();
    expect(errors).toEqual([]);
    expect(existsSync(log)).toBe(false);
    expect(readdirSync(recording.path)).toEqual(['sealed']);
    expect(bytes).toBeGreaterThan(1000);
    expect(verifyRun(log)).toMatchObject({ lines: expect.any(Number), faults: [] });
    const kinds = [...openRun(log).items()].flatMap((item) => (item.kind === 'event' ? [item.event.event.kind] : []));
    expect(kinds[0]).toBe('products');
    expect(kinds).not.toContain('answer');
    const lanes = openColumns(dir).columns;
    expect(lanes.map(({ lane }) => lane).sort()).toEqual([BTC.id, EUR.id].sort());
    for (const { length, n } of lanes) expect([length > 10, n.some(Number.isNaN)]).toEqual([true, expect.any(Boolean)]);
  });

  test('plain prices and order books that strategies look at are recorded as well', async () => {
    const dir = newFolder();
    const shown = [shownInput(BTC.product, 'BASIC'), shownInput(BTC.product, 'FULL')];
    const { started, errors } = record(dir, [BTC], shown);
    const recording = await started;
    const bySource = () => {
      const sources = [...openRun(logPath(dir, recording.run)).items()].flatMap((item) =>
        item.kind === 'event' && item.event.event.kind === 'shown' ? [item.event.event.source] : [],
      );
      return [...new Set(sources)].sort();
    };
    await vi.waitFor(() => expect(bySource()).toEqual(shown.map(({ id }) => id).sort()), 100_000);
    await recording.stop();
    expect(errors).toEqual([]);
    expect(bySource(), 'sealed').toEqual(shown.map(({ id }) => id).sort());
  });

  test('an input of an unknown product is refused before anything is recorded', async () => {
    const dir = newFolder();
    await expect(record(dir, [BTC], [shownInput(productCode('nope'), 'FULL')]).started).rejects.toThrow(
      /the service quotes no product nope/,
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each<[string, readonly Lane[], RegExp]>([
    ['no lane', [], /there is no lane to record/],
    ['an unknown product', [laneFor(productCode('nope'), amountOf({ base: '1' }))], /the service quotes no product nope; it quotes btcusd/],
    ['an amount below the smallest', [laneFor(productCode('btcusd'), amountOf({ base: '0.000001' }))], /must be at least btcusd's minSize/],
  ])('%s is refused before anything is recorded', async (_, lanes, says) => {
    const dir = newFolder();
    await expect(record(dir, lanes).started).rejects.toThrow(says);
    expect(readdirSync(dir)).toEqual([]);
  });
});
