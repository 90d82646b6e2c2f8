import { existsSync } from 'node:fs';
import { isRotationDue, removeArchivesAtRest, rotateAtRest } from '#adapters/journal/rotate.ts';
import { checkBookAt } from '#adapters/journal/start-checks.ts';
import type { Settings } from '#config/settings.ts';
import { nextTime } from '#core/schedule/due-times.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

const LOOK_MS = 1000;

interface RotationWatch {
  readonly timers: Pick<Timers, 'every' | 'wallMs'>;
  readonly notice: Notice;
  /** What an end of the run would cut off or leave open, in words; undefined at a quiet moment. */
  readonly underWay: () => string | undefined;
  /** Called once, at a quiet moment: the run is to end, since the next one rotates first. */
  readonly onDue: () => void;
}

/** Looks at the times of `journal.rotate.at` whether the journal is to be rotated, and then waits for a quiet moment. */
export function watchRotation({ path, rotate }: Settings['journal'], { timers, notice, underWay, onDue }: RotationWatch): Cancel {
  const { at } = rotate;
  if (at === null) return () => {};
  let lookedAt = timers.wallMs();
  let isDue = false;
  let isTold = false;
  const stop = timers.every(LOOK_MS, () => {
    const now = timers.wallMs();
    const hasCome = (nextTime(at, lookedAt) ?? Number.POSITIVE_INFINITY) <= now;
    lookedAt = now;
    if (hasCome && !isDue) isDue = isDueNow(now);
    if (!isDue) return;
    const why = underWay();
    if (why === undefined) {
      stop();
      onDue();
    } else if (!isTold) {
      isTold = true;
      notice('info', `journal.rotate is due, and waits for a quiet moment: ${why}`);
    }
  });

  function isDueNow(now: Millis): boolean {
    try {
      return isRotationDue(path, rotate, now);
    } catch (error) {
      notice('warn', `rotation of the journal: ${messageOf(error)}`);
      return false;
    }
  }

  return stop;
}

/** Whose run begins, when, and who is told. */
interface RotationStart {
  readonly book: string;
  readonly now: Millis;
  readonly notice: Notice;
}

/**
 * Rotates the journal before a run, and removes old archives, if `journal.rotate` says so, of its own book only. A fault of the journal is
 * reported, and the run begins without rotation. Throws other errors only.
 */
export async function rotateWhenDue({ path, rotate }: Settings['journal'], { book, now, notice }: RotationStart): Promise<void> {
  const { keepDays } = rotate;
  try {
    const isDue = isRotationDue(path, rotate, now);
    const isRemoving = keepDays > 0 && existsSync(path);
    if (isDue || isRemoving) checkBookAt(path, book);
    if (isDue) {
      const { archive, moved } = await rotateAtRest(path, now);
      notice('info', `${moved} decisions of earlier runs are in ${archive} from now on`);
    }
    if (isRemoving) await removeArchivesAtRest(path, { keepDays, now, tell: notice });
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    notice('warn', `rotation of the journal: ${error.message}`);
  }
}
