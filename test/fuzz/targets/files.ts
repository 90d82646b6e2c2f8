import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { JournalReader } from '#adapters/journal/reader.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { headerLine, lineOf, recordedOf } from '#adapters/recording/log-format.ts';
import { hashOf, readManifest, type SealedFile, writeManifest } from '#adapters/recording/manifest.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { sealLog } from '#adapters/recording/seal.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { known } from '#cli/errors.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode, runId } from '#domain/names.ts';
import { orderFacts, permits, row, START, sent } from '../../adapters/journal/order-rows.ts';
import { quoteWith } from '../../support/quotes.ts';
import { type FuzzTarget, must, mustBeLine } from '../target.ts';

/** A folder for one target, gone when it is closed, and with its thread at the latest. */
class Folder {
  private made: string | undefined;

  get path(): string {
    if (this.made === undefined) process.once('exit', () => this.remove());
    this.made ??= mkdtempSync(path.join(tmpdir(), 'kairos-fuzz-'));
    return this.made;
  }

  at(name: string): string {
    return path.join(this.path, name);
  }

  remove(): void {
    if (this.made !== undefined) rmSync(this.made, { recursive: true, force: true });
    this.made = undefined;
  }
}

/** What a reader of files may throw: one line with the place and how to go on. */
function mustTell(thrown: unknown, ...codes: readonly string[]): void {
  const error = known(thrown);
  const stack = error instanceof Error ? error.stack : messageOf(error);
  must(error instanceof KairosError && codes.includes(error.code), `thrown: ${stack}`);
  mustBeLine(error.message, 3_000);
}

const TICKS = {
  lane: laneFor(productCode('eurusd'), amountOf({ base: '1000' })),
  baseCcy: currency('eur'),
  quoteCcy: currency('usd'),
  ...{ size: 1000, feePercentage: 0.1, validMs: 3000, afterMs: 0 },
  crossed: 'drop',
} as const;

interface Importing extends Pick<FuzzTarget, 'seeds' | 'words'> {
  /** The file that an input stands for; the input itself unless given. */
  readonly made?: (input: Buffer) => Buffer;
}

function importing(name: string, ending: string, { seeds, words, made = (input) => input }: Importing): FuzzTarget {
  const folder = new Folder();
  return {
    name,
    holds: 'a file of prices is imported into a recording that verifies, with finite prices, or refused in one line that names it',
    seeds,
    words: words ?? [],
    async check(given) {
      const input = made(given);
      const isPacked = input.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]));
      const file = folder.at(`prices.${ending}${isPacked && ending === 'csv' ? '.gz' : ''}`);
      writeFileSync(file, input);
      const out = folder.at('out');
      try {
        const { run, counts } = {
          counts: 0,
          ...(await importFile({ file, map: { unit: 'auto', bad: 'drop' }, ticks: TICKS, spreadBps: 2, out })),
        };
        const recording = logPath(out, run);
        must(verifyRun(recording).faults.length === 0, `of ${counts} rows: ${verifyRun(recording).faults.join('; ')}`);
        for (const item of openRun(recording).items())
          if (item.kind === 'conflated')
            must(item.quote.buy.price > 0 && Number.isFinite(item.quote.buy.price), `the price ${item.quote.buy.price}`);
      } catch (error) {
        mustTell(error, 'DATA_UNREADABLE', 'USAGE');
      }
      rmSync(out, { recursive: true, force: true });
      rmSync(file);
    },
    close: () => folder.remove(),
  };
}

const CSV = 'time,bid,ask\n2026-01-01T00:00:00Z,1.1000,1.1001\n2026-01-01T00:00:01Z,1.1002,1.1003\n2026-01-01T00:00:02.5Z,1.1001,1.1002\n';
const csv = importing('csv-import', 'csv', {
  seeds: [
    CSV,
    gzipSync(CSV),
    '1767225600000,93500.1,93600,93400,93550.5,12.5,1767225659999,1,2,3,4,0\n1767225660000,93550.5,93700,93500,93600,1,1767225719999,1,2,3,4,0\n',
    'Date;Time;Open;High;Low;Close\n01.02.2026;00:00;1,1;1,2;1,0;1,15\n01.02.2026;00:01;1,15;1,2;1,1;1,12\n',
    'time,open,high,low,close\n1767225600,1,2,0.5,1.5\n1767225660,1.5,2,1,1.2\n',
    '20260101 000000123,1.1,1.2,0\n20260101 000001123,1.1,1.2,0\n',
  ],
  words: [
    'time',
    'timestamp',
    'bid',
    'ask',
    'close',
    'open',
    'high',
    'low',
    ';',
    '\t',
    '"',
    '\r\n',
    '2026-02-30',
    '1e308',
    'EST',
    '+14:00',
  ],
});

const CODECS = ['SNAPPY', 'UNCOMPRESSED'] as const;
/** The three columns have theirs from three of the nine each, so that none has that of another. */
const TITLES = ['time', 'bid', 'ask', 'timestamp', 'close', 'offer', 'x', 'price', 'y'];

/** Values of one column: of the kind that the bytes ask for, three to ten of them. */
function columnOf(name: string, kind: number, bytes: Buffer) {
  const values = Array.from({ length: Math.floor(bytes.length / 8) }, (_, n) => bytes.subarray(n * 8, n * 8 + 8));
  const of = [
    () => ({ type: 'DOUBLE' as const, data: values.map((one) => one.readDoubleLE()) }),
    () => ({ type: 'INT64' as const, data: values.map((one) => one.readBigInt64LE()) }),
    () => ({ type: 'STRING' as const, data: values.map((one) => one.toString('latin1')) }),
    () => ({ type: 'TIMESTAMP' as const, data: values.map((one) => new Date(one.readUInt32LE() * 1000)) }),
    () => ({ type: 'BOOLEAN' as const, data: values.map((one) => one.readInt32LE() % 2 === 0) }),
    () => ({ type: 'DOUBLE' as const, data: values.map((one) => (one[0] === 0 ? null : one.readDoubleLE())), nullable: true }),
  ] as const;
  const made = of[kind % of.length] ?? of[0];
  return { name, ...made() };
}

/**
 * A Parquet file as the bytes say: codec, titles and kinds of its columns, their values, and what is done to its ends. Its pages stay as they are
 * written: in a page that was changed hyparquet 1.31 can go round for ever.
 */
function parquetOf(input: Buffer): Buffer {
  const [codec = 0, damage = 0, at = 0, ...kinds] = input.subarray(0, 9);
  const values = input.subarray(9);
  const each = Math.floor(values.length / 24) * 8;
  const columnData = [0, 1, 2].map((n) =>
    columnOf(TITLES[(n + 3 * (kinds[n] ?? 0)) % TITLES.length] ?? 'x', kinds[n + 3] ?? 0, values.subarray(n * each, (n + 1) * each)),
  );
  const file = Buffer.from(parquetWriteBuffer({ columnData, codec: CODECS[codec % CODECS.length] ?? 'SNAPPY' }));
  if (damage % 4 === 1) return file.subarray(0, (at * file.length) >> 8);
  if (damage % 4 === 2) file.writeUInt32LE(at * 1_000, file.length - 8);
  if (damage % 4 === 3) file[at % 4] = damage;
  return file;
}

const MILLIS = [1_767_225_600_000, 1_767_225_601_000, 1_767_225_602_000];
const doubles = (...values: number[]): Buffer => Buffer.from(new Float64Array(values).buffer);
const parquetSeed = (kind: number, times: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, kind, 0, 0]), times, doubles(1.1, 1.1002, 1.1001), doubles(1.1001, 1.1003, 1.1002)]);
const parquet = importing('parquet-import', 'parquet', {
  seeds: [
    parquetSeed(0, doubles(...MILLIS)),
    parquetSeed(1, Buffer.from(new BigInt64Array(MILLIS.map(BigInt)).buffer)),
    parquetSeed(2, Buffer.from('2026-01-2026-02-2026-03-')),
    parquetSeed(3, Buffer.from(new BigInt64Array([1n, 2n, 3n]).buffer)),
  ],
  words: ['\u0000\u0000\u0000\u0000\u0000\u0000\u00f0\u007f', '\u0000'],
  made: parquetOf,
});

const RUN = runId('20260101T000000Z-000001');
const EVENTS = [
  { kind: 'event', event: { n: 1, at: START, event: { kind: 'wake' } } },
  { kind: 'event', event: { n: 2, at: START + 1, event: { kind: 'quote', quote: quoteWith() } } },
  { kind: 'conflated', at: START + 2, quote: quoteWith() },
  { kind: 'event', event: { n: 3, at: START + 3, event: { kind: 'condition', name: 'certificate', on: true, figure: 1 } } },
] as const;
const LOG = headerLine(RUN, 'paper') + EVENTS.map(lineOf).join('');

/** A sealed recording of `LOG`, and its files by name. */
function sealedFiles(folder: string): readonly string[] {
  const log = logPath(folder, RUN);
  mkdirSync(path.dirname(log), { recursive: true });
  writeFileSync(log, LOG);
  sealLog(log);
  rmSync(log, { force: true });
  const sealed = path.join(path.dirname(log), 'sealed');
  return readdirSync(sealed)
    .sort()
    .map((name) => path.join(sealed, name));
}

const places = { log: new Folder(), sealed: new Folder() };
const whole = new Folder();
const wholeFiles = sealedFiles(whole.path);

const recording: FuzzTarget = {
  name: 'recordings',
  holds:
    'a recording whose bytes were changed is read, or refused in one line that names its file; a line that is read is written the same again',
  seeds: [`\u0000${LOG}`, ...wholeFiles.map((file, index) => Buffer.concat([Buffer.from([index + 1]), readFileSync(file)]))],
  words: ['"q"', 'null', 'inbox', 'format', 'part', 'before', 'removedBefore', 'sha256', 'quotes', 'events', 'lastLine', 'PAR1'],
  check(input) {
    const which = (input[0] ?? 0) % (wholeFiles.length + 1);
    const place = which === 0 ? places.log : places.sealed;
    const log = logPath(place.path, RUN);
    if (which === 0) {
      mkdirSync(path.dirname(log), { recursive: true });
      writeFileSync(log, input.subarray(1));
    } else {
      const sealed = path.join(path.dirname(log), 'sealed');
      mkdirSync(sealed, { recursive: true });
      for (const file of wholeFiles) copyFileSync(file, path.join(sealed, path.basename(file)));
      const changed = path.basename(wholeFiles[which - 1] ?? '');
      const bytes = input.subarray(1);
      // With its sum, or nothing else of it would be read.
      const summed = <File extends SealedFile>(one: File): File =>
        one.file === changed ? { ...one, bytes: bytes.length, sha256: hashOf(bytes) } : one;
      const { events, quotes, ...rest } = readManifest(path.dirname(wholeFiles[0] ?? ''));
      const manifest = { ...rest, events: events && summed(events), quotes: quotes.map(summed) };
      writeManifest(sealed, manifest);
      writeFileSync(path.join(sealed, changed), bytes);
    }
    for (const fault of verifyRun(log).faults) mustBeLine(fault, 3_000);
    try {
      for (const item of openRun(log).items()) {
        const line = lineOf(item);
        must(lineOf(recordedOf(line)) === line, `a line that reads otherwise: ${line.slice(0, 200)}`);
      }
    } catch (error) {
      if (messageOf(error).startsWith('broken')) throw error;
      mustTell(error, 'RECORDING_UNREADABLE', 'RECORDING_DAMAGED', 'RECORDING_FORMAT');
    }
  },
  close() {
    for (const folder of [places.log, places.sealed, whole]) folder.remove();
  },
};

const journalFolder = new Folder();

function journalOf(file: string): void {
  const journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
  journal.beginRun({ run: RUN, at: START, mode: 'paper', version: '0', configHash: 'c0ffee', configJson: '{}' });
  for (let n = 1; n <= 5; n += 1) journal.commit([...permits(orderFacts(n)), sent(orderFacts(n))]);
  journal.commit([row('hold', { why: 'to see', signals: {} })]);
  journal.close();
}

let original: { readonly bytes: Buffer; readonly rows: string } | undefined;
const rowsIn = (file: string): string => {
  const reader = JournalReader.open(file);
  try {
    return JSON.stringify(reader.tail(1_000));
  } finally {
    reader.close();
  }
};

/** Puts each patch, three bytes of place, one of length, then its bytes, into a copy. */
function patched(bytes: Buffer, patches: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 0; at + 4 < patches.length; ) {
    const length = 1 + ((patches[at + 3] ?? 0) % 32);
    patches.copy(copy, patches.readUIntBE(at, 3) % copy.length, at + 4, at + 4 + length);
    at += 4 + length;
  }
  return copy;
}

const journal: FuzzTarget = {
  name: 'journal',
  holds: 'a journal whose bytes were changed is found out, or has every decision that it had; whoever opens it is told in one line',
  // The header of the file, the first page of each table, the tail: as patches.
  seeds: [Buffer.alloc(0), ...Array.from({ length: 40 }, (_, page) => Buffer.from([0, (page * 16) & 255, 0, 3, 1, 2, 3, 4]))],
  most: 512,
  check(input) {
    const file = journalFolder.at('kairos.db');
    if (!original) {
      journalOf(file);
      original = { bytes: readFileSync(file), rows: rowsIn(file) };
    }
    for (const name of readdirSync(journalFolder.path)) if (/-(wal|shm)$/.test(name)) rmSync(journalFolder.at(name));
    writeFileSync(file, patched(original.bytes, input));
    const CODES = ['JOURNAL_BROKEN', 'JOURNAL_UNUSABLE', 'JOURNAL_FAULT', 'JOURNAL_NEWER', 'JOURNAL_FORMAT', 'JOURNAL_BUSY', 'USAGE'];
    let isWhole = false;
    try {
      const verdict = verifyJournal(file);
      isWhole = verdict.ok;
      if (!verdict.ok) mustBeLine(verdict.what, 3_000);
    } catch (error) {
      mustTell(error, ...CODES);
    }
    try {
      const rows = rowsIn(file);
      if (isWhole) must(rows === original.rows, 'the check found it whole, and its decisions are others');
    } catch (error) {
      if (isWhole || messageOf(error).startsWith('broken')) throw error;
      mustTell(error, ...CODES);
    }
    try {
      SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} }).close();
    } catch (error) {
      mustTell(error, ...CODES);
    }
  },
  close: () => journalFolder.remove(),
};

export const FILE_TARGETS: readonly FuzzTarget[] = [csv, parquet, recording, journal];
