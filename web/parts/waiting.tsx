import type { WaitingView } from '#server/page/view.ts';
import type { LastState } from '../live/model.ts';
import { useNow } from '../live/ticking.ts';
import { waitingText } from '../words/waiting.ts';

/** The open intents of a strategy, with their progress. */
export function Waiting({ waiting, told }: { readonly waiting: readonly WaitingView[]; readonly told: LastState }) {
  const now = useNow(told);
  if (waiting.length === 0) return null;
  return (
    <ul class="waits">
      {waiting.map((one) => (
        <li key={`${one.leg} ${one.wants} ${one.product} ${one.why}`}>{waitingText(one, now)}</li>
      ))}
    </ul>
  );
}
