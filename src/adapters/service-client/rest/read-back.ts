import type { RemoteAsk, RemoteStrategy } from '#domain/remote.ts';

/** Words for a state that a service may use; the specification shows none. */
const WORDS = {
  start: /^(ACTIVE|RUNNING|STARTED)$/i,
  pause: /^PAUSED$/i,
  stop: /^STOPPED$/i,
} as const;

/**
 * Whether what the service reads back shows that something was done (notes, "Strategies"): true or false where that can be
 * said, null where it cannot, since the keys and words inside `state` are the service's own. Requests to all strategies cannot be
 * read back but for `deleteAll`: which ones they reach is not stated.
 */
export function isShown(asked: RemoteAsk, found: readonly RemoteStrategy[]): boolean | null {
  switch (asked.action) {
    case 'delete':
      return !found.some(({ strategyId }) => strategyId === asked.strategyId);
    case 'deleteAll':
      return found.length === 0;
    case 'start':
    case 'stop':
    case 'pause': {
      const { action, strategyId } = asked;
      const word = WORDS[action === 'start' || action === 'stop' ? action : 'pause'];
      const known = stateOf(strategyId, found).filter((value) => Object.values(WORDS).some((one) => one.test(value)));
      const wanted = known.filter((value) => word.test(value)).length;
      // Words that contradict each other, as of now and of before, do not say which of them holds.
      if (known.length === 0 || (wanted > 0 && wanted < known.length)) return null;
      return wanted > 0;
    }
    case 'schedule-opening-pause': {
      const times = stateOf(asked.strategyId, found).map(Date.parse);
      return times.includes(Date.parse(asked.fromTime)) && times.includes(Date.parse(asked.toTime)) ? true : null;
    }
    case 'modify':
      return showsChanges(asked, found);
    case 'create':
    case 'flush':
    case 'pauseAll':
    case 'resumeAll':
      return null;
  }
}

function stateOf(id: string, found: readonly RemoteStrategy[]): readonly string[] {
  return Object.values(found.find(({ strategyId }) => strategyId === id)?.state ?? {});
}

function showsChanges({ strategyId, changes }: Extract<RemoteAsk, { action: 'modify' }>, found: readonly RemoteStrategy[]): boolean | null {
  const params = found.find((one) => one.strategyId === strategyId)?.uiParams ?? {};
  const shown = Object.entries(changes).filter(([name]) => name !== 'ignoreWarnings');
  if (shown.some(([name]) => !Object.hasOwn(params, name))) return null;
  return shown.every(([name, value]) => holds(params[name], value)) ? true : null;
}

/** A parameter as it is, or as the group of its values. */
function holds(param: unknown, value: unknown): boolean {
  if (Object.is(param, value)) return true;
  return typeof param === 'object' && param !== null && Object.values(param).some((inner) => Object.is(inner, value));
}
