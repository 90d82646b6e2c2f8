import { mkdirSync, rmSync } from 'node:fs';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import { type Filling, filled, type ImportFindings } from './filled.ts';
import type { DayWriter } from './import-writer.ts';
import { LateRow, Ticks } from './ticks.ts';

/** The files of an import, and where their prices go. */
interface GatherOptions {
  readonly filling: Omit<Filling, 'onRead' | 'onSpike'>;
  /** Gets the days. */
  readonly folder: string;
  readonly openWriter: () => DayWriter;
  /** Told the share that is read. */
  readonly onShare: (share: number) => void;
}

/** The writer, which is open and has all days, and what was found in the files. */
interface GatherResult {
  readonly writer: DayWriter;
  readonly found: ImportFindings & { readonly highest: number };
}

/**
 * Reads all prices and hands them to a writer, sorted by time. A file whose rows are late by an hour at most is in memory by the day; one
 * that goes back further is read a second time, into memory as a whole. Throws DATA_UNREADABLE, and USAGE where something is to be said.
 */
export async function gathered(options: GatherOptions): Promise<GatherResult> {
  try {
    return await gatheredOnce(options, false);
  } catch (error) {
    if (!(error instanceof LateRow)) throw error;
    return gatheredOnce(options, true);
  }
}

async function gatheredOnce({ filling, folder, openWriter, onShare }: GatherOptions, isWhole: boolean): Promise<GatherResult> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const writer = openWriter();
  const onRead = (share: number): Promise<void> => {
    onShare(share);
    return writer.room();
  };
  let highest = 0;
  const spikeEnds = new Set<Millis>();
  const ticks = new Ticks(
    filling.ticks,
    (day) => {
      for (let row = 0; row < day.rows; row += 1)
        if (spikeEnds.size === 0 || !spikeEnds.has(figureAt(day.at, row))) highest = Math.max(highest, figureAt(day.ask, row));
      writer.write(day);
    },
    isWhole,
  );
  try {
    const found = await filled(ticks, { ...filling, onRead, onSpike: (end) => spikeEnds.add(end) });
    return { writer, found: { ...found, highest } };
  } catch (error) {
    await writer.close();
    throw error;
  }
}
