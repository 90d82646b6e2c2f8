import type { VirtualClock } from '#adapters/time/virtual-clock.ts';
import type { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import type { Settings } from '#config/settings.ts';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Journal } from '#ports/journal.ts';
import { BacktestBroker, type PastOutcome } from '#research/replay/backtest-broker.ts';
import { fixedLatency } from '#research/replay/latency.ts';
import { VirtualEngine } from './virtual-engine.ts';

interface ScenarioEngineOptions {
  readonly settings: Settings;
  readonly strategies: readonly LoadedStrategy[];
  readonly clock: VirtualClock;
  /** The virtual timers of order reports. */
  readonly timers: VirtualTimers;
  readonly journal: Journal;
  /** Number of its first event. */
  readonly first: number;
  /** Milliseconds to the service, and back. */
  readonly latencyMs: number;
  /** Outcomes of orders; read anew for each order. */
  readonly outcomes: readonly PastOutcome[];
  readonly latest: (lane: LaneId) => Quote | undefined;
  readonly acquire: (lane: Lane) => void;
  readonly release: (lane: LaneId) => void;
}

/** One life of a scenario's engine, with the paper venue's matching core behind it. `isOver` is true once another life has begun. */
export function scenarioEngine(options: ScenarioEngineOptions, isOver: (engine: VirtualEngine) => boolean): VirtualEngine {
  const { settings, strategies, clock, timers, journal, first, latencyMs, outcomes, latest, acquire, release } = options;
  const { trading, service, lanes } = settings;
  const latch = new HaltLatch();
  const serviceClock = { now: () => ({ ms: clock.now(), halfWidthMs: 0 }) };
  const broker = new BacktestBroker({
    timers,
    gate: new RealTimeGate({ timers, serviceClock, latch, marginMs: trading.sendMarginMs }),
    latency: fixedLatency(latencyMs),
    outcomes,
    seed: trading.seed,
    feeIn: service.feeIn,
    answerMs: service.answerMs,
    latest: ({ lane }) => {
      const quote = latest(lane);
      return quote && { quote, provenance: 'exact' };
    },
  });
  const engine = new VirtualEngine({
    clock,
    first,
    engine: {
      ...engineRules(settings, strategies),
      journal,
      broker,
      latch,
      reserve: { size: lanes.reserve, waitMs: lanes.waitMs, acquire, release },
      act: () => {},
      notice: () => {},
    },
  });
  broker.connect((orderId, report) => {
    if (!isOver(engine)) engine.give({ kind: 'answer', orderId, report });
  });
  return engine;
}
