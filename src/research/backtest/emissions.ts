import { tap } from 'rxjs';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { Millis, StrategyId } from '#domain/names.ts';

/** What a strategy's signals emitted, with the values that it had named by then. */
export interface Emission {
  readonly at: Millis;
  /** Number of the event in which it was emitted. */
  readonly inboxSeq: number;
  readonly strategy: StrategyId;
  /** By name; under `signal` what was emitted. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Told each emission that may be decided on. */
export type OnEmission = (emission: Emission) => void;

/** The engine that strategies are in, and the number of the event that it handles. */
interface Playing {
  readonly engine: Pick<Engine, 'inspect'>;
  readonly inboxSeq: number;
}

/** Strategies that are listened to, where somebody wants to be told. To an engine they are the same. */
export function listenedTo(
  strategies: readonly LoadedStrategy[],
  onEmission: OnEmission | undefined,
  playing: () => Playing,
): readonly LoadedStrategy[] {
  if (!onEmission) return strategies;
  return strategies.map((loaded) => {
    const { id, definition } = loaded.strategy;
    const tell = (signal: unknown): void => {
      const { engine, inboxSeq } = playing();
      const runner = engine.inspect(({ host }) => host.runners.byId.get(id));
      if (!runner || runner.feeding) return;
      onEmission({ at: runner.scheduler.now(), inboxSeq, strategy: id, values: runner.signals(signal) });
    };
    const signals: typeof definition.signals = (market, params) => definition.signals(market, params).pipe(tap(tell));
    return { ...loaded, strategy: { ...loaded.strategy, definition: { ...definition, signals } } };
  });
}
