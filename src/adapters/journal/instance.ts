import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { isoTime, type Millis } from '#domain/names.ts';
import { openFault } from './fault.ts';
import { IN_MEMORY, isMissing, journalFiles, readSmall, replaceFile } from './files.ts';

const ID = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z\n$/;

/**
 * Names the one place where a journal lives, for arming: the id that is made once beside it (`at`, the time now), the file that holds
 * the id, and the machine. A copy of that file is another file, made at another time, whatever it says. A container that starts again under
 * another host name has the same file on its volume; so has a folder that was only renamed. A disk that is copied block by block
 * has the same file too, which only the machine tells apart. To be called by whoever holds the lease. Throws JOURNAL_UNUSABLE.
 */
export function instanceOf(journal: string, at: Millis, machine: string = machineId()): string {
  if (journal === IN_MEMORY) return '';
  const { instance, named } = journalFiles(journal);
  try {
    // What is armed was synced before, so that a torn file never named it.
    if (!ID.test(textIn(instance))) replaceFile(instance, `${isoTime(at)}\n`);
    const { ino, birthtimeNs } = statSync(instance, { bigint: true });
    const parts = [textIn(instance).trim(), `${ino}`, `${birthtimeNs}`, machine];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  } catch (error) {
    throw openFault(error, named);
  }
}

/** The id that systemd gave this machine. Empty without systemd, as in containers: what an image says there is of no machine. */
function machineId(): string {
  return existsSync('/run/systemd/system') ? textIn('/etc/machine-id').trim() : '';
}

function textIn(file: string): string {
  try {
    return readSmall(realpathSync(file));
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}
