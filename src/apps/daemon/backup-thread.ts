import { parentPort, workerData } from 'node:worker_threads';
import { backupJournal } from '#adapters/journal/backup.ts';
import { messageOf } from '#domain/errors.ts';
import type { BackupMessage, BackupOrders } from './backups.ts';

/** Copies and checks a journal beside the loop that trades. */
const { journal, to }: BackupOrders = workerData;
const tell = (message: BackupMessage) => parentPort?.postMessage(message);

try {
  const { decisions } = await backupJournal(journal, to);
  tell({ rows: decisions });
} catch (error) {
  tell({ why: messageOf(error) });
}
