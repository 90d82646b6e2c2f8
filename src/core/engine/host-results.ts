import type { ParentOrders } from '#core/execution/parent-orders.ts';
import { type Leg, outlasting } from '#core/execution/plan.ts';
import { spentLane } from '#core/execution/work.ts';
import type { HostResult } from '#core/strategy/host.ts';
import { never } from '#domain/errors.ts';
import type { EngineContext } from './engine-context.ts';

/** What strategies bring: intents become parent orders, everything else a row. */
export class HostResults {
  private readonly context: EngineContext;
  private readonly parentOrders: ParentOrders;
  private stopped = false;

  constructor(context: EngineContext, parentOrders: ParentOrders) {
    this.context = context;
    this.parentOrders = parentOrders;
  }

  /** The run ends: no order begins any more. */
  stop(): void {
    this.stopped = true;
  }

  /** Takes what a strategy brings. */
  readonly take = (result: HostResult): void => {
    if (result.kind === 'hold' && result.withdraws) this.parentOrders.endWanted((strategy) => strategy === result.instance.id, 'REPLACED');
    if (result.kind !== 'intents') return journalResult(result, this.context);
    const { instance, intents, signals } = result;
    if (this.stopped || !this.context.products.has(instance.product)) return;
    const legs: Leg[] = [];
    for (const intent of intents) {
      const input = intent.on === null ? undefined : instance.inputs?.[intent.on];
      legs.push({ intent, lane: input?.source ?? instance.lane, product: input?.product ?? instance.product });
    }
    const plan = { strategy: instance.id, legs, signals, onLegFailure: instance.definition.onLegFailure ?? 'keep' };
    const spent = legs[0] && spentLane(legs[0].lane, this.context);
    this.parentOrders.begin(spent ? outlasting(plan, spent.staleMs) : plan, spent?.latest?.id);
  };
}

/** Journals what a strategy brought that is no intent: why it does nothing, or what went wrong with it. */
function journalResult(result: Exclude<HostResult, { kind: 'intents' }>, { log, refusals, notice, mendEnables }: EngineContext): void {
  const { instance } = result;
  const about = { strategy: instance.id, product: instance.product };
  switch (result.kind) {
    case 'hold':
      refusals.note(instance.id, log.make('hold', { why: result.reason, signals: result.signals }, { ...about, reason: 'HOLD' }));
      return;
    case 'nan': {
      const begins = refusals.note(
        instance.id,
        log.make('hold', { why: result.why, signals: result.signals }, { ...about, reason: 'SIGNAL_NAN' }),
      );
      if (begins) notice('warn', `strategy ${instance.id}: ${result.why}`);
      return;
    }
    case 'warming':
      refusals.note(instance.id, log.make('hold', { why: result.why, signals: {} }, { ...about, reason: 'WARMING_UP' }));
      return;
    case 'state': {
      const row = log.make('state', { state: result.text, by: result.by }, about);
      // What an order has changed must be there after a crash; what a signal did comes again.
      if (result.by === 'signal') log.defer(row);
      else log.keep(row);
      return;
    }
    case 'bad_intent': {
      const detail = { error: result.why, stack: '', inARow: result.inARow };
      log.defer(log.make('threw', detail, { ...about, reason: 'BAD_INTENT' }));
      notice('warn', `strategy ${instance.id}: ${result.why}`);
      return;
    }
    case 'threw': {
      const { thrown, inARow, anew } = result;
      const detail = { ...thrown, inARow, ...(anew && { anew }) };
      log.defer(log.make('threw', detail, { ...about, reason: 'STRATEGY_THREW' }));
      notice('warn', `strategy ${instance.id} threw: ${detail.error}${anew ? '; its signals begin anew' : ''}`);
      return;
    }
    case 'disabled':
      log.keep(log.make('disabled', { who: 'kairos', why: result.why }, { ...about, reason: result.reason }));
      notice(
        'error',
        `strategy ${instance.id} is disabled until ${mendEnables ? 'its fixed file is saved, or ' : ''}a person enables it: ${result.why}`,
      );
      return;
    default:
      return never(result);
  }
}
