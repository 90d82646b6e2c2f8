import { backupJournal } from '#adapters/journal/backup.ts';
import { runThread } from '#adapters/threads/thread.ts';
import type { BackupThread } from './backups.ts';

/** Copies and checks a journal in a thread of its own. */
runThread<BackupThread>(async ({ data: { journal, to }, post }) => {
  const { decisions } = await backupJournal(journal, to);
  post({ rows: decisions });
});
