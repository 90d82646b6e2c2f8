import type { ChildOrderResult } from '#core/execution/child-order-result.ts';
import type { Leg } from '#core/execution/plan.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';
import { never } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import type { Lane } from '#domain/lane.ts';
import { orderId, type StrategyId, strategyId } from '#domain/names.ts';
import type { BuiltParts } from './build-parts.ts';
import type { EngineContext } from './engine-context.ts';
import { manualIntent } from './manual-amounts.ts';

type Needs = Pick<EngineContext, 'drilled' | 'lanes' | 'latch' | 'log' | 'market' | 'monitor' | 'notice' | 'state'>;

/** Does what a person asked of the running engine, journaled with who and why. */
export class Commands {
  /** Result of the last order that a halt drill tried. */
  drillOrder: ChildOrderResult | undefined;
  private readonly context: Needs;
  private readonly parts: BuiltParts;
  private readonly stop: () => void;

  constructor(context: Needs, parts: BuiltParts, stop: () => void) {
    this.context = context;
    this.parts = parts;
    this.stop = stop;
  }

  perform(command: Command): void {
    const { log, state, monitor, notice } = this.context;
    const { manual, money, remote, reports, strategySwitch } = this.parts;
    const { who, why } = command;
    switch (command.act) {
      case 'pause':
        return state.pause(strategyOf(command), { reason: 'BY_PERSON', who, why });
      case 'resume':
        state.resume(strategyOf(command), who, why);
        notice('warn', `${command.strategy ?? 'trading'} resumed by ${who}: ${why}`);
        if (command.strategy === null) monitor.resetBaselines();
        return;
      case 'arm':
        state.armed({ who, why, configHash: command.configHash, config: command.config, build: command.build, anew: true });
        notice('warn', `armed by ${who}: ${why}`);
        return monitor.resetBaselines();
      case 'enable':
        log.commit(log.make('enabled', { who, why }, { strategy: strategyId(command.strategy), reason: command.reason ?? 'BY_PERSON' }));
        notice('warn', `strategy ${command.strategy} enabled by ${who}: ${why}`);
        // Behind its row: what its streams throw as they are subscribed comes after it.
        return strategySwitch.enable(strategyId(command.strategy));
      case 'disable':
        return strategySwitch.disable(strategyId(command.strategy), command);
      case 'halt':
        if (state.halt('BY_PERSON', who, why)) notice('error', `halted by ${who}: ${why}; no order goes out until a person resumes`);
        return;
      case 'book':
        log.keep(log.make('booked', { who, why, entries: command.entries }, { reason: who === 'kairos' ? 'BY_RULE' : 'BY_PERSON' }));
        return money.booked(command.entries);
      case 'resolve':
        notice('warn', `order ${command.order} settled as ${command.fill ? 'accepted' : 'rejected'} by ${who}: ${why}`);
        return reports.resolve(orderId(command.order), command);
      case 'close':
      case 'flatten':
      case 'order': {
        const refused = manual.perform(command);
        return notice('warn', `${command.act} by ${who}${refused ? ` is refused: ${refused.why}` : `: ${why}`}`);
      }
      case 'remote':
      case 'settle-create':
        return remote.perform(command);
      case 'drill':
        return this.tryOrder(why);
      case 'drilled':
        return this.drilled(command);
      case 'stop':
        this.stop();
        monitor.stop();
        log.keep(log.make('stopped', { who, why }));
        return;
      default:
        return never(command);
    }
  }

  /** Tries lane after lane until an order passes all checks. */
  private tryOrder(why: string): void {
    this.drillOrder = undefined;
    for (const lane of this.context.lanes) {
      this.drillOrder = this.buyOn(lane, why);
      if (this.drillOrder.kind === 'sent') return void this.context.drilled.add(this.drillOrder.orderId);
    }
  }

  /** Tries one purchase of the lane's own amount for the book of people, on the present quote, through all checks. */
  private buyOn({ id, product, amount }: Lane, why: string): ChildOrderResult {
    const quote = this.context.market.latest(id);
    if (!quote) return { kind: 'nothing' };
    const leg: Leg = { intent: { ...manualIntent('buy', { kind: 'amount', amount }, why), tag: null }, lane: id, product };
    return this.parts.placer.place({ strategy: MANUAL_BOOK, legs: [leg], signals: {}, onLegFailure: 'keep' }, leg, quote);
  }

  private drilled({ who, why, result }: Extract<Command, { act: 'drilled' }>): void {
    const { log, state, latch } = this.context;
    log.keep(log.make('drill', { who, why, ...result }, { reason: 'BY_PERSON' }));
    if (result.verdict === 'failed') state.halt('DRILL_FAILED', 'kairos', result.outcome);
    else if (!state.isHalted) latch.clear();
  }
}

const strategyOf = ({ strategy }: { readonly strategy: string | null }): StrategyId | null =>
  strategy === null ? null : strategyId(strategy);
