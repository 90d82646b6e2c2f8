import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import { changesText } from '#core/strategy/compiled-module.ts';
import { Intrinsics } from '#core/strategy/intrinsics.ts';
import type { KairosError } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { StrategyId } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { Beside } from './beside.ts';
import type { Heartbeat } from './heartbeat.ts';
import { OWN_MEMORY, watchMemory } from './memory-watch.ts';
import { StrategyFaults, type Uncaught } from './strategy-faults.ts';
import { StrategyMeter } from './strategy-meter.ts';

/** How often intrinsics are checked, and how long each strategy is checked after a change, in milliseconds. */
const INTRINSICS_MS = 60_000;

interface StrategyUseOptions {
  readonly settings: Pick<Settings, 'trading'>;
  readonly strategies: readonly LoadedStrategy[];
  readonly timers: Timers;
  readonly notice: Notice;
  readonly heartbeat: Pick<Heartbeat, 'enterStrategy'>;
  readonly isDisabled: (strategy: StrategyId) => boolean;
  readonly post: (event: InboxEvent) => void;
  /** Called if the process needs too much memory and should stop in good order. */
  /** Its memory; that of this process by default. */
  readonly beside?: Pick<Beside, 'memory'>;
  readonly onLeave?: (error: KairosError) => void;
}

/**
 * What strategies do to their shared process: time, memory, uncaught errors, and changes of intrinsics. All of it is
 * measured outside the engine, which learns of it by recorded commands.
 */
export class StrategyUse {
  private readonly options: StrategyUseOptions;
  private readonly meter: StrategyMeter;
  private readonly faults: StrategyFaults;
  private readonly intrinsics = new Intrinsics();

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
  takes(error: unknown, how: Uncaught): boolean {
    this.putBack();
    return this.faults.take(error, how);
  }

  /** Puts back what strategies have changed of JavaScript's own objects; nothing else of Kairos is sure to run before. Never throws. */
  putBack(): void {
    try {
      const changed = this.intrinsics.takeBack();
      if (changed.length > 0) this.options.notice('error', `something ${changesText(changed)}; it was put back`);
    } catch {
      // What they changed is out of reach; the watchdog ends the process if its end hangs.
    }
  }

  /** Watches memory and intrinsics from now on; returns a function that stops it. */
  watch(): Cancel {
    const { settings, timers, notice, onLeave: leave = () => {}, beside } = this.options;
    const memory = beside?.memory ?? OWN_MEMORY;
    const { meter, faults } = this;
    const disable = (strategy: string, why: string): void => faults.disable(strategy, 'STRATEGY_MEMORY', why);
    const stops = [
      watchMemory({ maxMb: settings.trading.maxMemoryMb, timers, meter, disable, leave, notice, memory }),
      watchIntrinsics({ meter, faults, timers, notice, intrinsics: this.intrinsics }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  private slow(strategy: string, { tookMs, isLast }: { readonly tookMs: number; readonly isLast: boolean }): void {
    const { settings, notice } = this.options;
    const took = `it took ${tookMs} ms at one event, the ${isLast ? 'fifth' : 'third'} time within a minute above trading.maxStrategyMs`;
    const why = `${took} (${settings.trading.maxStrategyMs}); all others waited meanwhile`;
    if (isLast) this.faults.disable(strategy, 'STRATEGY_SLOW', why);
    else notice('error', `strategy ${strategy}: ${why}; the fifth disables it`);
  }
}

/**
 * Restores changed intrinsics once a minute and reports them. For the next minute they are checked after each strategy's
 * code: a strategy that changes them again is found and disabled.
 */
function watchIntrinsics({
  meter,
  faults,
  timers,
  notice,
  intrinsics,
}: Pick<StrategyUseOptions, 'timers' | 'notice'> & {
  readonly meter: Pick<StrategyMeter, 'afterEach'>;
  readonly faults: Pick<StrategyFaults, 'disable'>;
  readonly intrinsics: Intrinsics;
}): Cancel {
  const byStrategy = (strategy: string): void => {
    const changed = intrinsics.takeBack();
    if (changed.length > 0) faults.disable(strategy, 'STRATEGY_TAMPERED', `it ${changesText(changed)}; it was put back`);
  };
  return timers.every(INTRINSICS_MS, () => {
    const changed = intrinsics.takeBack();
    meter.afterEach = changed.length > 0 ? byStrategy : undefined;
    if (changed.length > 0)
      notice('error', `something ${changesText(changed)}; it was put back, and a strategy that does it again is disabled`);
  });
}
