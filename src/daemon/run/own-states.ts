import path from 'node:path';
import type { RecoveryState } from '#adapters/journal/sqlite-journal.ts';
import type { Settings } from '#config/settings.ts';
import type { Notice } from '#ports/notice.ts';

/** Leaves out states that were kept for another product or module under the same id, and tells so: those strategies begin with their initial state. */
export function withOwnStates(
  recovered: RecoveryState,
  { strategies, notice }: { readonly strategies: Settings['strategies']; readonly notice: Notice },
): RecoveryState {
  const strange = strategies.flatMap(({ id, product, use }) => {
    const origin = recovered.stateOrigins[id];
    if (!origin || (origin.product === product && path.basename(origin.use ?? use) === path.basename(use))) return [];
    notice('warn', `strategy ${id} begins with its initial state: what is kept is of ${origin.use ?? use} for ${origin.product}`);
    return [id];
  });
  const states = Object.fromEntries(Object.entries(recovered.states).filter(([id]) => !strange.includes(id)));
  return { ...recovered, states };
}
