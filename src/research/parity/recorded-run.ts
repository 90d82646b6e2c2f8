import type { RunReader } from '#adapters/recording/open-run.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import type { Settings } from '#config/settings.ts';
import { Engine } from '#core/engine/engine.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { KairosError } from '#domain/errors.ts';
import type { StartFacts } from '#domain/event.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Broker } from '#ports/broker.ts';
import type { Journal } from '#ports/journal.ts';

/** The outputs of an engine in a replay. */
export interface Outputs {
  readonly orders: Map<string, OrderCore>;
  /** Acquired lanes. */
  readonly lanes: Set<string>;
  /** Requested actions. */
  readonly actions: Set<string>;
}

/** The facts of a run's first event. Throws RECORDING_UNREADABLE if the beginning is missing. */
export function factsOf(log: Pick<RunReader, 'items' | 'path'>): StartFacts {
  for (const item of log.items()) {
    if (item.kind === 'event' && item.event.event.kind === 'start') return item.event.event.facts;
    break;
  }
  throw new KairosError('RECORDING_UNREADABLE', `recording ${log.path} does not begin with the start of a run`);
}

/** A fresh engine for the recorded inbox of a run. It sends nothing; the recording has the outcomes of its orders, lanes and actions. */
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
