import { isRotationDue, rotateAtRest } from '#adapters/journal/rotate-at-rest.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';

/**
 * Before a run: rotates the journal where `journal.rotate` says so. What stands in the way is told, and the run begins on the
 * journal as it is. Throws only what is no fault of the journal.
 */
export async function rotateWhenDue({ path, rotate }: Settings['journal'], now: Millis, notice: Notice): Promise<void> {
  try {
    if (!isRotationDue(path, rotate, now)) return;
    const { archive, moved } = await rotateAtRest(path, now);
    notice('info', `${moved} decisions of earlier runs are in ${archive} from now on`);
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    notice('warn', `rotation of the journal: ${error.message}`);
  }
}
