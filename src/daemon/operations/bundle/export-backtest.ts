import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LoadedConfig } from '#config/load.ts';
import type { LoaderOptions } from '#core/strategy/loader.ts';
import type { Emission } from '#research/backtest/emissions.ts';
import { openSession } from '#research/backtest/open-session.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { type ExportResult, exportRun } from './export-run.ts';

interface BacktestExport {
  readonly config: LoadedConfig;
  /** A recording, or a folder of them; the configured one without it. */
  readonly data: string | undefined;
  readonly dir: string;
  readonly folders: LoaderOptions;
}

/** Plays a backtest, quote by quote, and writes it as a bundle. Throws what playing and `exportRun` throw. */
export async function exportBacktest({ config, data, dir, folders }: BacktestExport): Promise<ExportResult> {
  const emissions: Emission[] = [];
  const session = await openSession({
    ...{ config, folders, data, from: undefined, to: undefined, against: undefined, outcomesOf: undefined, everyQuote: true },
    notice: () => {},
    onEmission: (emission) => emissions.push(emission),
  });
  const run = session.play();
  const kept = mkdtempSync(path.join(tmpdir(), 'kairos-export-'));
  try {
    const journal = path.join(kept, 'backtest.db');
    keepBacktest(session, run, journal);
    return await exportRun({
      ...{ settings: { journal: { path: journal }, recording: config.settings.recording }, run: run.run, dir, folders, emissions },
    });
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
}
