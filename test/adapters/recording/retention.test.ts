import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gapsIn, lanesIn, recordingsIn } from '#adapters/recording/catalog.ts';
import { lastQuotes } from '#adapters/recording/last-quotes.ts';
import { writeManifest } from '#adapters/recording/manifest.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { logPath, RunLog } from '#adapters/recording/run-log.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { runId } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

const DAY_MS = 86_400_000;
const DAY = Date.UTC(2026, 10, 21);

/** A log with a quote at each time, as a run that began at the first. */
function record(dir: string, run: string, times: readonly number[]): RunLog {
  const log = RunLog.create({ dir, run: runId(run), book: 'paper' });
  log.append({ n: 0, at: times[0] ?? 0, event: { kind: 'products', products: [] } });
  for (const [index, at] of times.entries()) log.append({ n: index + 1, at, event: { kind: 'quote', quote: recordedQuote({ n: index }) } });
  return log;
}

function tidy(dir: string, options: { keepDays?: number; now?: number } = {}): { sealed: number; told: string[] } {
  const told: string[] = [];
  const sealed = tidyRecordings({ dir, keepDays: 90, now: DAY, ...options, tell: (_, text) => told.push(text) });
  return { sealed, told };
}

describe('recordings are sealed and removed', () => {
  test('a log that a process still writes is left alone; a closed one is sealed once', () => {
    const dir = newFolder();
    const log = record(dir, 'run-1', [DAY, DAY + 500]);
    log.flush();
    expect(tidy(dir).sealed).toBe(0);
    expect(existsSync(log.path)).toBe(true);
    log.close();
    expect(tidy(dir)).toMatchObject({ sealed: 1, told: [expect.stringMatching(/^recording run-1 sealed: 3 events/)] });
    expect(tidy(dir)).toEqual({ sealed: 0, told: [] });
    expect(readdirSync(path.dirname(log.path))).toEqual(['sealed']);
    expect(lastQuotes(log.path).map(({ quote }) => quote)).toStrictEqual([recordedQuote({ n: 1 })]);
  });

  test('the log of a process that is gone is sealed, and that of another machine once it has been silent', () => {
    const dir = newFolder();
    for (const [run, mark] of [
      ['dead', { pid: 2 ** 30, host: '' }],
      ['half', undefined],
    ] as const) {
      record(dir, run, [DAY]).close();
      const writing = path.join(dir, run, 'writing.json');
      writeFileSync(writing, mark ? JSON.stringify({ ...mark, host: 'elsewhere' }) : '{"pi');
    }
    expect(tidy(dir, { now: Date.now() }).sealed).toBe(1);
    expect(tidy(dir, { now: Date.now() + 2 * 3_600_000 }).sealed).toBe(1);
  });

  test.runIf(process.platform === 'linux')(
    'the log of a killed process is sealed, though its number is that of another one, as in a container that is started again',
    () => {
      const dir = newFolder();
      for (const run of ['killed', 'silent']) {
        const log = record(dir, run, [DAY]);
        onTestFinished(() => log.close());
        log.flush();
      }
      const writing = path.join(dir, 'killed', 'writing.json');
      writeFileSync(writing, JSON.stringify({ ...JSON.parse(readFileSync(writing, 'utf8')), pid: process.ppid }));
      expect(tidy(dir, { now: Date.now() }).told).toEqual([]);
      expect(tidy(dir, { now: Date.now() + 2 * 3_600_000 }).told).toEqual([expect.stringMatching(/^recording killed sealed/)]);
    },
  );

  test('quotes older than keepDays go by the day, a recording with its last day, and it is said', () => {
    const dir = newFolder();
    record(dir, 'old', [DAY - 5 * DAY_MS, DAY - 4 * DAY_MS]).close();
    record(dir, 'long', [DAY - 4 * DAY_MS, DAY - 2 * DAY_MS, DAY - 1]).close();
    expect(tidy(dir, { keepDays: 2 }).told).toEqual([
      expect.stringMatching(/^recording long sealed/),
      expect.stringMatching(/^recording long, part 2, sealed/),
      expect.stringMatching(/^recording long, part 3, sealed/),
      expect.stringMatching(/^recording old sealed/),
      expect.stringMatching(/^recording old, part 2, sealed/),
      'recording long: quotes before 2026-11-19 removed by recording.keepDays (2)',
      'recording old removed: its last quote is older than recording.keepDays (2)',
    ]);
    expect(recordingsIn(dir)).toEqual([logPath(dir, 'long')]);
    expect([...openRun(logPath(dir, 'long')).items()]).toHaveLength(3);
    expect(verifyRun(logPath(dir, 'long')).faults).toEqual(['quotes before 2026-11-19 were removed by recording.keepDays']);
    expect(tidy(dir, { keepDays: 0, now: DAY + 1000 * DAY_MS }).told).toEqual([]);
  });
});

test('a day that is lost is found though keepDays removed one before it: right behind that, later, and the beginning (F45)', () => {
  const dir = newFolder();
  const log = record(
    dir,
    'run',
    [5, 4, 3, 2, 1].flatMap((days) => [DAY - days * DAY_MS, DAY - days * DAY_MS + 1]),
  );
  log.close();
  const faultsWithout = (part: string) => {
    const copy = path.join(newFolder(), 'run');
    cpSync(log.folder, copy, { recursive: true });
    rmSync(path.join(copy, part), { recursive: true, force: true });
    return verifyRun(path.join(copy, 'inbox.ndjson')).faults;
  };
  tidy(dir, { keepDays: 4 });
  const removed = 'quotes before 2026-11-17 were removed by recording.keepDays';
  expect(faultsWithout('nothing')).toEqual([removed]);
  expect(faultsWithout('sealed-000002')).toEqual([
    removed,
    'part 3 begins behind 5 events and quotes, and the part before it ends behind 3',
  ]);
  expect(faultsWithout('sealed-000003')).toEqual([removed, 'events 5 to 6 are missing']);
  expect(faultsWithout('sealed')).toEqual(['it begins with event 3, not with its start']);
});

test('a clock that is years ahead removes nothing, at its first start and at later ones', () => {
  const dir = newFolder();
  const newest = [4, 3, 2, 1].map((days) => DAY - days * DAY_MS);
  for (const [index, at] of newest.entries()) record(dir, `run-${index}`, [at]).close();
  const ahead = DAY + 4000 * DAY_MS;
  for (const n of [1, 2, 3]) {
    expect(tidy(dir, { keepDays: 7, now: ahead + n }).told).not.toContainEqual(expect.stringContaining('removed'));
    record(dir, `wrong-${n}`, [ahead + n]).close();
  }
  expect(recordingsIn(dir)).toHaveLength(7);
  // Back at the right time.
  tidy(dir, { keepDays: 7, now: DAY });
  expect(recordingsIn(dir)).toHaveLength(7);
});

describe('retention deletes only what Kairos made', () => {
  const MINE = 'what somebody has written';

  /** An old sealed recording, whose manifest may say otherwise, beside a file of somebody else. */
  function old(
    change: (manifest: { book: string; quotes: { file: string; sha256: string }[]; events: { file: string } }) => void,
    summed = true,
  ): {
    dir: string;
    mine: string;
    sealed: string;
  } {
    const dir = newFolder();
    record(dir, 'old', [DAY - 5 * DAY_MS]).close();
    record(dir, 'new', [DAY - 2 * DAY_MS, DAY - DAY_MS]).close();
    tidy(dir, { keepDays: 0 });
    const sealed = path.join(dir, 'old', 'sealed');
    const manifest = path.join(sealed, 'manifest.json');
    const { sum, ...said } = JSON.parse(readFileSync(manifest, 'utf8'));
    change(said);
    if (summed) writeManifest(sealed, said);
    else writeFileSync(manifest, JSON.stringify({ ...said, sum }));
    const mine = path.join(dir, 'kairos.db');
    writeFileSync(mine, MINE);
    return { dir, mine, sealed };
  }

  test.each([
    ['a file of quotes by a path', 'quotes.0.file', '../../kairos.db'],
    ['a file of quotes by an absolute path', 'quotes.0.file', '/etc/hostname'],
    ['a file of quotes that is named as no quotes are', 'quotes.0.file', 'kairos.db'],
    ['its events by a path', 'events.file', '../../kairos.db'],
    ['a sum that is a path', 'quotes.0.sha256', '../../../kairos.db'.padEnd(64, 'x')],
  ])('a manifest that names %s is refused, and nothing is removed', (_, at, text) => {
    const { dir, mine, sealed } = old(({ quotes: [quotes], events }) => {
      const key = at.split('.').at(-1) ?? '';
      Object.assign((at.startsWith('events') ? events : quotes) ?? {}, { [key]: text });
    });
    const before = readdirSync(sealed);
    expect(tidy(dir, { keepDays: 2 }).told).toEqual([
      expect.stringMatching(
        new RegExp(`^${path.join(sealed, 'manifest.json')}: ${at}: .+; restore the folder from a copy; the log is kept$`),
      ),
    ]);
    expect(readFileSync(mine, 'utf8')).toBe(MINE);
    expect(readdirSync(sealed)).toEqual(before);
    expect(() => lanesIn(logPath(dir, 'old'))).toThrow(expect.objectContaining({ code: 'RECORDING_UNREADABLE' }));
  });

  test.each([
    ['with the sum that it had', (_: string) => {}],
    ['without a sum', (manifest: string) => writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/,"sum":"[^"]*"/, ''))],
  ])('a manifest whose book was changed is no recording, %s: nothing reads it, and nothing is removed', (_, then) => {
    const { dir, sealed } = old((manifest) => {
      manifest.book = 'live:other';
    }, false);
    const manifest = path.join(sealed, 'manifest.json');
    then(manifest);
    const before = readdirSync(sealed);
    const damaged = expect.objectContaining({ code: 'RECORDING_DAMAGED' });
    expect(tidy(dir, { keepDays: 2 }).told).toEqual([expect.stringMatching(`^${manifest} was changed after it was sealed; `)]);
    expect(readdirSync(sealed)).toEqual(before);
    expect(() => lanesIn(logPath(dir, 'old'))).toThrow(damaged);
    expect(() => openRun(logPath(dir, 'old')).items().next()).toThrow(damaged);
    expect(verifyRun(logPath(dir, 'old')).faults).toHaveLength(1);
  });

  test('what somebody put into the folder of a recording stays when the recording goes', () => {
    const { dir, sealed } = old(() => {});
    const notes = path.join(dir, 'old', 'notes.txt');
    for (const file of [notes, path.join(sealed, 'mine.parquet')]) writeFileSync(file, MINE);
    expect(tidy(dir, { keepDays: 2 }).told).toEqual([
      'recording old removed: its last quote is older than recording.keepDays (2); files in it that Kairos did not make are kept',
    ]);
    expect(readdirSync(path.join(dir, 'old'))).toEqual(['notes.txt', 'sealed']);
    expect(readdirSync(sealed)).toEqual(['mine.parquet']);
    expect(tidy(dir, { keepDays: 2 }).told).toEqual([]);
  });

  test('a folder of recordings that is one itself keeps the journal that lies in it', () => {
    const { dir } = old(() => {});
    const journal = path.join(dir, 'old', 'kairos.db');
    writeFileSync(journal, MINE);
    tidy(path.join(dir, 'old'), { keepDays: 2 });
    expect(readdirSync(path.join(dir, 'old'))).toEqual(['kairos.db', 'sealed']);
  });

  test('what a link leads to is left alone', () => {
    const { dir, sealed } = old(() => {});
    const other = newFolder();
    record(other, 'new', [DAY - 2 * DAY_MS, DAY - DAY_MS]).close();
    symlinkSync(path.join(dir, 'old'), path.join(other, 'linked'));
    mkdirSync(path.join(other, 'half'));
    symlinkSync(sealed, path.join(other, 'half', 'sealed'));
    tidy(other, { keepDays: 2 });
    expect(readdirSync(sealed)).toHaveLength(3);
  });
});

describe('what is said of recordings', () => {
  test('lanes with span and number, the same in a log and sealed', () => {
    const dir = newFolder();
    record(dir, 'run-1', [DAY - 1, DAY, DAY + 1]).close();
    const before = lanesIn(logPath(dir, 'run-1'));
    expect(before).toEqual([
      {
        run: 'run-1',
        product: 'btcusd',
        lane: 'btcusd@base:0.01',
        from: '2026-11-20T23:59:59.999Z',
        to: '2026-11-21T00:00:00.001Z',
        quotes: 3,
        bytes: null,
        imported: false,
        barMs: 0,
      },
    ]);
    tidy(dir);
    expect(lanesIn(logPath(dir, 'run-1'))).toEqual([{ ...before[0], bytes: expect.any(Number) }]);
    expect(recordingsIn(path.join(dir, 'run-1'))).toHaveLength(1);
  });

  test('silences longer than asked, over midnight too', () => {
    const dir = newFolder();
    record(dir, 'run-1', [DAY - 6000, DAY - 1000, DAY + 10_000, DAY + 20_001]).close();
    const expected = [
      { from: '2026-11-20T23:59:59.000Z', to: '2026-11-21T00:00:10.000Z', seconds: 11 },
      { from: '2026-11-21T00:00:10.000Z', to: '2026-11-21T00:00:20.001Z', seconds: 10.001 },
    ];
    expect(gapsIn(logPath(dir, 'run-1'), 10_000)).toMatchObject(expected);
    tidy(dir);
    expect(gapsIn(logPath(dir, 'run-1'), 10_000)).toMatchObject(expected);
  });

  test('missing numbers, a cut tail, a changed and a lost file are found (F45)', () => {
    const dir = newFolder();
    const log = record(dir, 'run-1', [DAY, DAY + 1, DAY + 2, DAY + 3, DAY + 4]);
    log.close();
    const lines = readFileSync(log.path, 'utf8').split('\n');
    writeFileSync(log.path, [...lines.slice(0, 3), ...lines.slice(5)].join('\n').slice(0, -3));
    expect(verifyRun(log.path).faults).toEqual(['events 2 to 3 are missing', expect.stringMatching(/^its last line, 5, was cut off/)]);
    writeFileSync(log.path, lines.join('\n'));
    expect(verifyRun(log.path)).toMatchObject({ run: 'run-1', lines: 6, sealed: false, faults: [] });
    tidy(dir);
    expect(verifyRun(log.path)).toMatchObject({ lines: 6, sealed: true, faults: [] });
    const file = path.join(dir, 'run-1', 'sealed', 'quotes-btcusd-base-0.01-2026-11-21.parquet');
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 50), Buffer.from([bytes.readUInt8(50) ^ 1]), bytes.subarray(51)]));
    expect(verifyRun(log.path).faults).toEqual([
      `${file} was changed after it was sealed; restore it from a copy, or move the recording elsewhere`,
    ]);
    rmSync(file);
    expect(verifyRun(log.path).faults[0]).toMatch(/cannot be read/);
  });
});
