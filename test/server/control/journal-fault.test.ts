import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { controlFiles, readHalt } from '#adapters/journal/control-files.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { KairosError } from '#domain/errors.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { guardedJournal } from '../../support/guarded-journal.ts';
import { endAll, runKairos } from '../../support/process.ts';

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

test('F46 F47 I07 a halt that the journal cannot take stands over a restart all the same, until a person resumes', async () => {
  folder = new DaemonFolder('no-room');
  const file = folder.write(
    'kairos.yaml',
    `journal: { path: ${folder.journal} }\nrecording: { enabled: false }\nvenue: { database: ':memory:' }\n`,
  );
  let failing = false;
  const onFullDisk = (): void => {
    if (failing) throw new KairosError('JOURNAL_FAULT', 'the disk takes nothing');
  };
  const start = () => {
    const faults: unknown[] = [];
    const ended = Promise.withResolvers<void>();
    const started = Daemon.start({
      config: loadConfig({ files: [file], env: {}, cwd: folder.path, live: false, isVenue: true }),
      strategyFolders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES },
      timers: systemTimers,
      notice: () => {},
      onFault: (error) => {
        faults.push(error);
        ended.resolve();
      },
      wrapJournal: (journal) => guardedJournal(journal, { commit: onFullDisk, defer: onFullDisk, flush: onFullDisk }),
    });
    return { started, faults, ended: ended.promise };
  };
  const first = start();
  const daemon = await first.started;
  failing = true;
  daemon.halt({ who: 'ann', why: 'to see' });
  await first.ended;
  await daemon.stop('test', 'it failed');
  failing = false;
  const files = controlFiles(folder.journal);
  expect(first.faults).toHaveLength(1);
  expect(folder.rows("SELECT 1 FROM decisions WHERE kind = 'halted'")).toEqual([]);
  expect(readHalt(files.halted)).toEqual({ who: 'kairos', why: expect.stringContaining('the disk takes nothing') });

  const again = start();
  const second = await again.started;
  expect(second.inspect().halted).toBe(true);
  await second.stop('test', 'seen');
  expect(await runKairos(['resume', '--config', file], { cwd: folder.path })).toMatchObject({ code: 0 });
  expect(existsSync(files.halted)).toBe(false);
  const third = await start().started;
  expect(third.inspect().halted).toBe(false);
  await third.stop('test', 'seen');
});
