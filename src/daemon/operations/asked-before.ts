import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { orderRequested } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { KairosError } from '#domain/errors.ts';
import type { ManualRequest, ManualTask } from '#domain/manual-request.ts';

/**
 * What became of the order that was asked for by the same `requestId` before, in whichever run; undefined where none was. `taskOf` has those
 * of this run. Throws ACT_REFUSED where that was another order.
 */
export function askedBefore(path: string, asked: ManualRequest, taskOf: (id: string) => ManualTask | undefined): ManualTask | undefined {
  if (asked.act !== 'order' || asked.requestId === undefined || !existsSync(path)) return undefined;
  const { requestId } = asked;
  const reader = JournalReader.open(path);
  try {
    const before = reader.named((database) => orderRequested(database, requestId));
    if (!before) return undefined;
    const { act, who, why, ...wants } = asked;
    if (!isDeepStrictEqual(wants, before.wants)) {
      throw new KairosError('ACT_REFUSED', `requestId ${requestId} was of another order; choose a new one`);
    }
    return (
      taskOf(before.id) ?? {
        id: before.id,
        act,
        who: before.who,
        why: before.why,
        ended: true,
        refused: before.refused,
        parts: before.parts,
      }
    );
  } finally {
    reader.close();
  }
}
