import { reasonWords } from '#domain/check-words.ts';
import type { Decision } from '#domain/decision.ts';
import type { Reason } from '#domain/reasons.ts';
import { legName, legText } from '#domain/work-text.ts';
import type { ExecutionContext } from './execution-context.ts';
import { type ExitOrder, type Leg, outlivesItsQuote, type StrategyOrder, type Work, workedDetail } from './plan.ts';
import { PlanBegin } from './plan-begin.ts';
import { isOver } from './work-state.ts';

type Journaled = StrategyOrder | ExitOrder;

/** A leg that came to nothing: which of how many, and what becomes of those before it. */
interface LegFailure {
  readonly leg: number;
  readonly of: number;
  readonly policy: 'keep' | 'unwind';
}

/** The rows of plans at work: their begin and end, from which a restart goes on, and why they came to nothing. */
export class WorkRows {
  private readonly context: ExecutionContext;
  private count = 0;

  constructor(context: ExecutionContext) {
    this.context = context;
  }

  /** A plan begins. One that outlives its quote gets a name, under which its orders are found after a restart. */
  begun(work: Journaled): void {
    if (!outlivesItsQuote(work)) return;
    this.count += 1;
    const name = `${this.context.log.inboxSeq}-${this.count}`;
    work.name = name;
    const { plan, legs } = work;
    const lasting = work.kind === 'exit';
    const detail = { work: name, legs: legs.map(legText), lasting, onLegFailure: plan.onLegFailure, signals: plan.signals };
    const endsAt = (refusal: Reason): boolean => {
      const leg = work.legs[work.index];
      return leg !== undefined && isOver(work, leg, refusal);
    };
    work.begin = new PlanBegin(this.context.log.make('working', detail, planOf(work)), endsAt);
    if (lasting) this.waits(work);
  }

  /** The plan waits for something: a restart must go on with it. */
  waits({ begin }: Journaled): void {
    begin?.goesOn(this.context.log);
  }

  /** A plan is over, whatever came of it. */
  ended(work: Work): void {
    if (work.kind === 'manual') return;
    const { name } = work;
    if (name !== null && !endedAtOnce(work)) this.context.log.defer(this.context.log.make('worked', { work: name }, planOf(work)));
  }

  lapsed(work: StrategyOrder, leg: Leg): void {
    this.keep(work, this.context.log.make('lapsed', workedDetail(work, leg.intent), aboutOf(work, leg, 'LAPSED')));
  }

  withdrawn(work: Journaled, leg: Leg, reason: Reason): void {
    this.keep(work, this.context.log.make('withdrawn', workedDetail(work, leg.intent), aboutOf(work, leg, reason)));
  }

  /** Where the plan ended at once, its refusal says it all. */
  legFailed(work: StrategyOrder, leg: Leg, failure: LegFailure): void {
    if (endedAtOnce(work)) return;
    const detail = { ...workedDetail(work, leg.intent), ...failure };
    this.keep(work, this.context.log.make('leg_failed', detail, aboutOf(work, leg, 'LEG_FAILED')));
  }

  /** A person hears of the first failure to close a position. That the quote it begins on is taken is none: the next one is near. */
  troubled(work: Work, leg: Leg): void {
    if (work.kind !== 'exit' || work.troubled || (work.attempts === 1 && work.last === 'QUOTE_TAKEN')) return;
    work.troubled = true;
    const why = `${leg.intent.reason}: ${reasonWords(work.last ?? 'no quote')}; it is tried again on the next quotes`;
    this.context.notice('error', `${work.plan.strategy}: the position could not be closed: ${why}`);
  }

  private keep(work: Work, row: Decision): void {
    this.context.refusals.end(work.plan.strategy);
    this.context.log.defer(row);
  }
}

/** True for a plan that ended on the event that it began with, without an order. */
const endedAtOnce = ({ begin }: Journaled): boolean => begin !== undefined && !begin.isWritten;

const aboutOf = ({ plan }: Work, { product }: Leg, reason: Reason) => ({ strategy: plan.strategy, product, reason });

const planOf = ({ plan, legs: [first] }: Work) => ({ strategy: plan.strategy, product: first?.product ?? null });

/** The leg as it is tried: with the name that its orders carry, where they must be found again. */
export const named = (work: Work, leg: Leg): Leg =>
  work.kind === 'manual' || work.name === null
    ? leg
    : { ...leg, work: legName(work.name, work.index), ...(work.begin && { begin: work.begin }) };
