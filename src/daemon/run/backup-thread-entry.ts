import { runThread } from '#adapters/threads/thread.ts';
import { type BackupThread, backUp } from './backups.ts';

/** Makes a backup in a thread of its own. */
runThread<BackupThread>(async ({ data, post }) => post(await backUp(data)));
