import type { Inbox } from '#core/engine/inbox.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Beside } from './beside.ts';
import type { RunResources } from './opening.ts';
import type { CauseCounts } from './threads/refusals.ts';

type Options = Parameters<Beside['openWebhooks']>[0] & Parameters<Beside['openSignals']>[0];

/** What listens for others: notifications of the service, and signals from outside. Addresses are null where it does not. */
export interface Receivers {
  readonly webhooksUrl: string | null;
  readonly signalsUrl: string | null;
  /** Signals that were refused, by source and cause: `model LATE`. */
  readonly refusedSignals: CauseCounts;
  /** Ends both. Idempotent. */
  close(): Promise<void>;
}

/** Opens the receivers that the settings ask for. `undo` takes how to close each. Throws PORT_IN_USE. */
export async function openReceivers(
  beside: Pick<Beside, 'openWebhooks' | 'openSignals'>,
  given: Omit<Options, 'post' | 'isFresh' | 'strategies'> & {
    readonly inbox: Inbox;
    readonly opened: Pick<RunResources, 'strategies' | 'metrics'>;
  },
  undo: (() => Promise<void> | void)[],
): Promise<Receivers> {
  const { inbox, opened, timers, settle } = given;
  const { strategies, metrics } = opened;
  const options = { ...given, strategies, post: (event: InboxEvent) => inbox.post(event), isFresh: () => inbox.isFresh };
  const webhooks = await beside.openWebhooks({ ...options, settle: () => metrics.takingWebhooks(timers, settle) });
  undo.push(() => webhooks?.close());
  const signals = await beside.openSignals(options);
  undo.push(() => signals?.close());
  return {
    webhooksUrl: webhooks?.url ?? null,
    signalsUrl: signals?.url ?? null,
    refusedSignals: signals?.refused ?? {},
    async close() {
      await webhooks?.close();
      await signals?.close();
    },
  };
}
