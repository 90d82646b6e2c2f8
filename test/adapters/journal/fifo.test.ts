import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlFiles, removeHalt, standingHalt, writeFacts } from '#adapters/journal/control-files.ts';
import { failedStart } from '#adapters/journal/failed-start.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { readMark } from '#adapters/journal/high-water.ts';
import { instanceOf } from '#adapters/journal/instance.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { publish, publishedIn, tokenIn } from '#daemon/operations/ops-files.ts';
import { readStall } from '#daemon/run/watchdog.ts';
import { folder, openJournal, START } from './rows.ts';

describe.skipIf(process.platform === 'win32')('a FIFO in the place of a file', () => {
  test('of any small one holds nobody up, who reads it or writes it', () => {
    const dir = folder();
    const files = controlFiles(join(dir, 'kairos.db'));
    const { pid, mark, instance } = journalFiles(join(dir, 'kairos.db'));
    for (const file of [...new Set(Object.values(files)), pid, mark, instance]) execFileSync('mkfifo', ['-m', '600', file]);
    expect([publishedIn(files.ops), failedStart(join(dir, 'kairos.db'))]).toEqual([undefined, undefined]);
    expect(standingHalt(files)).toMatchObject({ why: expect.stringContaining('cannot be read') });
    expect(readStall(files.stall)).toMatchObject({ why: expect.stringContaining('cannot be read') });
    expect(() => readMark(mark)).toThrow('remove it');
    expect(() => tokenIn(files.token)).toThrow('remove it');
    expect(() => instanceOf(join(dir, 'kairos.db'), START)).toThrow('remove it');
    writeFacts(files.halted, {});
    removeHalt(files, new Map([[files.haltOfAll, '1 2']]));
    publish(files.ops, { pid: 1, url: 'http://127.0.0.1:1' }, 'token');
    expect([files.halted, files.resumed, files.ops].map((file) => statSync(file).isFile())).toEqual([true, true, true]);
  });

  test('B19 of a journal is refused, and nothing is made beside it', () => {
    const path = join(folder(), 'kairos.db');
    execFileSync('mkfifo', [path]);
    const refused = expect.objectContaining({
      code: 'JOURNAL_UNUSABLE',
      message: `journal ${path} is not a regular file: set journal.path to a file`,
    });
    expect(() => openJournal(path)).toThrow(refused);
    expect(() => JournalReader.open(path)).toThrow(refused);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
