import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { KairosError } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { StrategyId } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { Beside } from './beside.ts';
import type { Heartbeat } from './heartbeat.ts';
import { OWN_MEMORY, watchMemory } from './memory-watch.ts';
import { StrategyFaults, type UncaughtKind } from './strategy-faults.ts';
import { StrategyMeter } from './strategy-meter.ts';

interface StrategyUseOptions {
  readonly settings: Pick<Settings, 'trading'>;
  readonly strategies: readonly LoadedStrategy[];
  readonly timers: Timers;
  readonly notice: Notice;
  readonly heartbeat: Pick<Heartbeat, 'enterStrategy'>;
  readonly isDisabled: (strategy: StrategyId) => boolean;
  readonly post: (event: InboxEvent) => void;
  /** Its memory; that of this process by default. */
  readonly beside?: Pick<Beside, 'memory'>;
  /** Called if the process needs too much memory and should stop in good order. */
  readonly onLeave?: (error: KairosError) => void;
}

/**
 * What strategies do to their shared process: time, memory and uncaught errors. All of it is measured outside the engine,
 * which learns of it by recorded commands.
 */
export class StrategyUse {
  private readonly options: StrategyUseOptions;
  private readonly meter: StrategyMeter;
  private readonly faults: StrategyFaults;

  constructor(options: StrategyUseOptions) {
    this.options = options;
    const { settings, timers, isDisabled, post, beside } = options;
    const { usedBytes } = beside?.memory ?? OWN_MEMORY;
    const { maxStrategyMs: maxMs } = settings.trading;
    this.meter = new StrategyMeter({ timers, maxMs, usedBytes, onSlow: (strategy, slow) => this.slow(strategy, slow) });
    this.faults = new StrategyFaults({
      strategies: options.strategies.map(({ strategy }) => strategy),
      isDisabled,
      onlyOne: () => this.meter.onlyOne,
      post: (command) => post({ kind: 'command', command }),
    });
  }

  /** Sets the strategy whose code runs from now on; null for none. */
  enter(strategy: StrategyId | null): void {
    this.options.heartbeat.enterStrategy(strategy);
    this.meter.enter(strategy);
  }

  /** Runs a turn of the loop in which events are handled. */
  duringTurn(drain: () => void): void {
    this.meter.beginTurn();
    drain();
  }

  /** Handles an event to its end. */
  duringEvent(handle: () => void): void {
    handle();
    this.meter.endEvent();
  }

  /** True if an uncaught error is a strategy's, which is then disabled. */
  takes(error: unknown, how: UncaughtKind): boolean {
    return this.faults.disableBlamed(error, how);
  }

  /** Watches memory from now on; returns a function that stops it. */
  watch(): Cancel {
    const { settings, timers, notice, onLeave: leave = () => {}, beside } = this.options;
    const { meter, faults } = this;
    const disable = (strategy: string, why: string): void => faults.disable(strategy, 'STRATEGY_MEMORY', why);
    const memory = beside?.memory ?? OWN_MEMORY;
    return watchMemory({ maxMb: settings.trading.maxMemoryMb, timers, meter, disable, leave, notice, memory });
  }

  private slow(strategy: string, { tookMs, isLast }: { readonly tookMs: number; readonly isLast: boolean }): void {
    const { settings, notice } = this.options;
    const took = `it took ${tookMs} ms at one event, the ${isLast ? 'fifth' : 'third'} time within a minute above trading.maxStrategyMs`;
    const why = `${took} (${settings.trading.maxStrategyMs}); all others waited meanwhile`;
    if (isLast) this.faults.disable(strategy, 'STRATEGY_SLOW', why);
    else notice('error', `strategy ${strategy}: ${why}; the fifth disables it`);
  }
}
