import type { RunReader } from '#adapters/recording/open-run.ts';
import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import { engineRules } from '#apps/assembly/engine-rules.ts';
import type { Settings } from '#config/settings.ts';
import { Engine } from '#core/engine/engine.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { KairosError } from '#domain/errors.ts';
import type { StartFacts } from '#domain/event.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Broker } from '#ports/broker.ts';
import type { Journal } from '#ports/journal.ts';

/** What an engine asked of the world while a run was played again. */
export interface Outputs {
  readonly orders: Map<string, OrderCore>;
  /** Lanes that were lent. */
  readonly lanes: Set<string>;
  /** Actions asked of the service. */
  readonly actions: Set<string>;
}

/** With what the first event of a run began. Throws RECORDING_UNREADABLE where the beginning is not there. */
export function factsOf(log: Pick<RunReader, 'items' | 'path'>): StartFacts {
  for (const item of log.items()) {
    if (item.kind === 'event' && item.event.event.kind === 'start') return item.event.event.facts;
    break;
  }
  throw new KairosError('RECORDING_UNREADABLE', `recording ${log.path} does not begin with the start of a run`);
}

/**
 * A fresh engine for the recorded inbox of a run: nothing is sent, and what became of its orders, lanes and actions
 * comes by the recording.
 */
export function engineOfRun(parts: {
  readonly settings: Settings;
  readonly strategies: readonly LoadedStrategy[];
  readonly journal: Journal;
}): { readonly engine: Engine; readonly outputs: Outputs } {
  const { settings, strategies, journal } = parts;
  const outputs: Outputs = { orders: new Map(), lanes: new Set(), actions: new Set() };
  const broker: Broker = { connect() {}, submit: (order) => void outputs.orders.set(order.id, order), async close() {} };
  const engine = new Engine({
    ...engineRules(settings, strategies),
    journal,
    broker,
    latch: new HaltLatch(),
    reserve: {
      size: settings.lanes.reserve,
      waitMs: settings.lanes.waitMs,
      acquire: (lane) => void outputs.lanes.add(lane.id),
      release: () => {},
    },
    act: ({ actionId }) => void outputs.actions.add(actionId),
    remote: (actionId) => void outputs.actions.add(actionId),
    onNextDue: () => {},
    notice: () => {},
  });
  return { engine, outputs };
}
