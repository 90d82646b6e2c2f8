import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { ChildOrderResult } from '#core/execution/order-placer.ts';
import type { HaltLatch } from '#core/risk/latch.ts';
import type { RiskMonitor } from '#core/risk/risk-monitor.ts';
import type { TradingState } from '#core/risk/trading-state.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { never } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import type { Lane } from '#domain/lane.ts';
import type { ManualRequest } from '#domain/manual-request.ts';
import { type StrategyId, strategyId } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import type { DisabledBy } from './product-changes.ts';

interface CommandsOptions {
  readonly log: DecisionLog;
  readonly state: TradingState;
  readonly monitor: RiskMonitor;
  readonly notice: Notice;
  readonly latch: HaltLatch;
  readonly lanes: Iterable<Lane>;
  /** Tries one purchase of the lane's amount for the book of people. */
  readonly tryManualOrder: (lane: Lane, reason: string) => ChildOrderResult;
  /** Begins what a person asks for. */
  readonly manual: (asked: ManualRequest) => void;
  /** Does what concerns the service's own strategies. */
  readonly remote: (command: Extract<Command, { act: 'remote' | 'settle-create' }>) => void;
  /** Settles an order of unknown outcome. */
  readonly resolve: (command: Extract<Command, { act: 'resolve' }>) => void;
  /** Told of what no order moved, once it is journaled. */
  readonly booked: (entries: readonly BookedEntry[]) => void;
  readonly enable: (strategy: StrategyId) => void;
  readonly disable: (strategy: StrategyId, by: DisabledBy) => void;
  readonly stop: () => void;
}

/** Does what a person asked of the running engine, journaled with who and why. */
export class Commands {
  /** What came of the last order that a halt drill tried. */
  drillOrder: ChildOrderResult | undefined;
  private readonly options: CommandsOptions;

  constructor(options: CommandsOptions) {
    this.options = options;
  }

  perform(command: Command): void {
    const { log, state, monitor, notice, enable, stop } = this.options;
    const { who, why } = command;
    switch (command.act) {
      case 'pause':
        return state.pause(strategyOf(command), { reason: 'BY_PERSON', who, why });
      case 'resume':
        notice('warn', `${command.strategy ?? 'trading'} resumed by ${who}: ${why}`);
        state.resume(strategyOf(command), who, why);
        if (command.strategy === null) monitor.resetBaselines();
        return;
      case 'arm':
        notice('warn', `armed by ${who}: ${why}`);
        state.armed({ who, why, configHash: command.configHash, config: command.config, build: command.build });
        return monitor.resetBaselines();
      case 'enable':
        if (command.strategy === null) return;
        notice('warn', `strategy ${command.strategy} enabled by ${who}: ${why}`);
        enable(strategyId(command.strategy));
        return log.commit(
          log.make('enabled', { who, why }, { strategy: strategyId(command.strategy), reason: command.reason ?? 'BY_PERSON' }),
        );
      case 'disable':
        return this.options.disable(strategyId(command.strategy), command);
      case 'halt':
        if (!state.isHalted) notice('error', `halted by ${who}: ${why}; no order goes out until a person resumes`);
        return state.halt('BY_PERSON', who, why);
      case 'book':
        log.commit(log.make('booked', { who, why, entries: command.entries }, { reason: 'BY_PERSON' }));
        return this.options.booked(command.entries);
      case 'resolve':
        notice('warn', `order ${command.order} settled as ${command.fill ? 'accepted' : 'rejected'} by ${who}: ${why}`);
        return this.options.resolve(command);
      case 'close':
      case 'flatten':
      case 'order':
        notice('warn', `${command.act} by ${who}: ${why}`);
        return this.options.manual(command);
      case 'remote':
      case 'settle-create':
        return this.options.remote(command);
      case 'drill':
        return this.tryOrder(why);
      case 'drilled':
        return this.drilled(command);
      case 'stop':
        stop();
        monitor.stop();
        return log.commit(log.make('stopped', { who, why }));
      default:
        return never(command);
    }
  }

  /** The first lane on whose quote an order passes all checks will do. */
  private tryOrder(why: string): void {
    this.drillOrder = undefined;
    for (const lane of this.options.lanes) {
      this.drillOrder = this.options.tryManualOrder(lane, why);
      if (this.drillOrder.kind === 'sent') return;
    }
  }

  private drilled({ who, why, result }: Extract<Command, { act: 'drilled' }>): void {
    const { log, state, latch } = this.options;
    log.commit(log.make('drill', { who, why, ...result }, { reason: 'BY_PERSON' }));
    if (result.verdict === 'failed') state.halt('DRILL_FAILED', 'kairos', result.outcome);
    else if (!state.isHalted) latch.clear();
  }
}

const strategyOf = ({ strategy }: { readonly strategy: string | null }): StrategyId | null =>
  strategy === null ? null : strategyId(strategy);
