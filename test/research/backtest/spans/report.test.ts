import path from 'node:path';
import { describe, expect } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { runRecord } from '#assembly/run-record.ts';
import { makeReport } from '#report/report.ts';
import { recordOfBacktest } from '#research/backtest/backtest-record.ts';
import { saveRun } from '#research/backtest/save-run.ts';
import { newFolder } from '../../../support/folder.ts';
import { fc, test as property } from '../../../support/property.ts';
import { randomRun } from './random-run.ts';

describe('a report made by many quotes at once is the report made quote by quote', () => {
  property.prop([fc.nat()], { numRuns: 30 })('every figure and every point of a chart, to the last digit', (seed) => {
    const { play, config, columns: quotes } = randomRun(seed, 200);
    const record = recordOfBacktest(config, play(false));
    const columns = seed % 2 === 0 ? quotes : quotes.map((lane) => ({ ...lane, barMs: 500 }));
    expect(makeReport(record, columns)).toStrictEqual(makeReport(record, columns, { everyQuote: true }));
  });

  property.prop([fc.nat()], { numRuns: 8 })('it reads from decisions what it would read from their journal', (seed) => {
    const { play, config, columns } = randomRun(seed, 200);
    const run = play(false);
    const folder = newFolder();
    const file = path.join(folder, 'backtest.db');
    saveRun(config, run, file);
    const journal = JournalReader.open(file);
    const kept = makeReport(runRecord(journal, run.run), columns);
    journal.close();
    expect(makeReport(recordOfBacktest(config, run), columns)).toStrictEqual(kept);
  });
});
