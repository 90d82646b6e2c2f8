import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { ArmedDetail } from '#domain/decision.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { StartFacts } from '#domain/event.ts';
import { isByHand, type Latch, pausedBy, saidAgain } from '#domain/latch.ts';
import type { StandingLatch } from '#domain/latch-ends.ts';
import { modeFactsNamed } from '#domain/mode.ts';
import { isoTime, type Millis, type StrategyId, strategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import type { HaltLatch } from './latch.ts';

/** How trading starts, and what changes its state without a person: `trading.arm`, `trading.rearmAfter`, `trading.crashHalt`. */
export interface Arming {
  /** `manual`: a person arms each configuration; `auto`: nobody needs to, and without real money every start is active, unless halted. */
  readonly arm: 'auto' | 'manual';
  /** Null: never. */
  readonly rearmAfterMs: Millis | null;
  readonly crashHalt: { readonly count: number; readonly windowMs: Millis } | null;
}

/** Something that stops all strategies: who and why, since when, and when it ends by itself, if it does. */
interface Stop {
  readonly who: string;
  readonly why: string;
  readonly since: Millis;
  /** Null if an earlier run latched it, but for what `flatten` began. */
  readonly reason: Reason | null;
  readonly until: Millis | null;
}

/** Who keeps openings from going out, why and since when. */
type Pause = Pick<Latch, 'strategy' | 'who' | 'why' | 'since'> & { readonly reason: Reason | null };

type Beginning = Pick<StartFacts, 'mode' | 'latches' | 'configHash' | 'build' | 'instance' | 'risk' | 'unknowns'>;

/**
 * What a person, a schedule or a fault has latched: a halt, pauses, disabled strategies. Each change is journaled with
 * who and why, and survives a restart. A stop holds at once, and its row is kept until it is durable; a release waits for its row. Decisions follow what entered by the inbox; the shared latch, which other threads
 * may set before the inbox hears of it, is for the last gate alone.
 */
export class TradingState {
  private readonly log: DecisionLog;
  private readonly latch: HaltLatch;
  private readonly arming: Arming;
  /** Says to a person what stops orders. */
  private readonly tell: (text: string) => void;
  // What stands now, for who asks at each event or order: set here alone.
  readonly paused = new Map<StrategyId | null, Pause>();
  halted: Omit<Stop, 'until'> | null = null;
  disarmed: Omit<Stop, 'until'> | null = null;
  reduced: Omit<Stop, 'until'> | null = null;
  private configHash = '';
  private build = '';
  private instance: Pick<ArmedDetail, 'instance'> = {};

  constructor(options: { log: DecisionLog; latch: HaltLatch; arming: Arming; tell: (text: string) => void }) {
    this.log = options.log;
    this.latch = options.latch;
    this.arming = options.arming;
    this.tell = options.tell;
  }

  /** The state in which a run begins, from what earlier ones left: the table of start states. */
  start(facts: Beginning): void {
    const { latches, configHash, risk } = facts;
    this.configHash = configHash;
    this.build = facts.build;
    this.instance = facts.instance === undefined ? {} : { instance: facts.instance };
    this.restore(latches);
    const { arm, crashHalt } = this.arming;
    const standing = latches.filter(({ kind }) => kind === 'reducing' || kind === 'disarmed');
    if (arm === 'auto' && modeFactsNamed(facts.mode)?.isRealMoney !== true) this.startByRule(standing);
    else this.startByPerson(facts, standing);
    if (crashHalt === null) return;
    const crashes = risk.crashes.filter((at) => at > this.log.now - crashHalt.windowMs).length;
    if (crashes >= crashHalt.count) this.halt('CRASH_LOOP', 'kairos', `${crashes} crashes within trading.crashHalt`);
  }

  /** Active, but for what `flatten` began. */
  private startByRule(standing: readonly Latch[]): void {
    const ended = standing.filter(({ reason }) => !isByHand(reason));
    if (ended.length > 0) this.armedByRule('trading.arm is auto: a start is active');
    this.stayReducing(
      standing.find(({ reason }) => isByHand(reason)),
      ended.length > 0,
    );
  }

  private startByPerson(facts: Beginning, standing: readonly Latch[]): void {
    const { risk, unknowns } = facts;
    const wasDisarmed = standing.some(({ kind }) => kind === 'disarmed');
    const reducing = standing.find(({ kind }) => kind === 'reducing');
    const isAuto = this.arming.arm === 'auto';
    const why = isAuto ? null : notArmed(facts);
    if (why === null) {
      if (wasDisarmed) this.armedByRule(isAuto ? 'trading.arm is auto' : 'the configuration is the armed one again');
    } else {
      this.disarmed = { who: 'kairos', why, since: this.log.now, reason: 'DISARMED' };
      if (!wasDisarmed) this.log.keep(this.log.make('disarmed', { who: 'kairos', why: `${why}: kairos arm` }, { reason: 'DISARMED' }));
      this.tell(`DISARMED, no order goes out until \`kairos arm\`: ${why}`);
    }
    this.stayReducing(reducing, why === null && wasDisarmed);
    if (risk.crashed || unknowns.length > 0) {
      const unsure = risk.crashed ? 'the run before crashed' : `${unknowns.length} orders of unknown outcome`;
      this.reduce('START_UNSURE', 'kairos', unsure);
    }
  }

  /** `isEnded`: by a row of arming, which ends every latch, so that one that remains is journaled again. */
  private stayReducing(latch: Latch | undefined, isEnded: boolean): void {
    if (!latch) return;
    const { who, why, since } = latch;
    const byHand = isByHand(latch.reason) ? latch.reason : null;
    if (isEnded) return this.reduce(byHand ?? 'REDUCING', who, why);
    this.reduced = { who, why, since, reason: byHand };
    this.tell(`still REDUCING, only exits pass until ${this.reducingEnds}: ${why}`);
  }

  /** Takes over what an earlier run left latched. Disabled strategies are the host's. */
  private restore(latches: readonly Latch[]): void {
    for (const latch of latches) {
      if (latch.kind === 'halted') {
        this.latch.set();
        this.halted = { who: latch.who, why: latch.why, since: latch.since, reason: null };
      }
      if (latch.kind !== 'paused') continue;
      const { strategy, who, why, since, reason = null } = latch;
      this.paused.set(strategy === null ? null : strategyId(strategy), { strategy, who, why, since, reason });
    }
  }

  get isHalted(): boolean {
    return this.halted !== null;
  }

  get isDisarmed(): boolean {
    return this.disarmed !== null;
  }

  /** Everything that stops all strategies now, each with its reason. */
  get stops(): { readonly halted: Stop | null; readonly disarmed: Stop | null; readonly reducing: Stop | null } {
    const { halted, disarmed, reduced } = this;
    const { rearmAfterMs } = this.arming;
    const endsAlone = reduced !== null && disarmed === null && !isByHand(reduced.reason);
    const until = endsAlone && rearmAfterMs !== null ? reduced.since + rearmAfterMs : null;
    return {
      halted: halted && { ...halted, until: null },
      disarmed: disarmed && { ...disarmed, until: null },
      reducing: reduced && { ...reduced, until },
    };
  }

  /** What is latched of all strategies, in front what must end first. */
  get standing(): readonly Latch['kind'][] {
    return [
      ...(this.halted ? (['halted'] as const) : []),
      ...(this.disarmed ? (['disarmed'] as const) : []),
      ...(this.paused.has(null) ? (['paused'] as const) : []),
      ...(this.reduced ? (['reducing'] as const) : []),
    ];
  }

  /** Why only orders that reduce a position may pass; null while anything may. */
  get reducing(): string | null {
    return this.reduced?.why ?? null;
  }

  /** From now on only orders that reduce a position pass. A further reason changes nothing, but for the first `flatten`. */
  reduce(reason: Reason, who: string, why: string): void {
    const { reduced } = this;
    if (reduced !== null && (isByHand(reduced.reason) || !isByHand(reason))) return;
    this.reduced = reduced === null ? { who, why, since: this.log.now, reason } : { ...saidAgain(reduced, { who, why }), reason };
    this.log.keep(this.log.make('reducing', { who, why }, { reason }));
    this.tell(`REDUCING, only exits pass until ${this.reducingEnds}: ${this.reduced.why}`);
  }

  private get reducingEnds(): string {
    const until = this.stops.reducing?.until ?? null;
    return `\`kairos arm\` or \`kairos resume\`${until === null ? '' : `, at ${isoTime(until)} at the latest`}`;
  }

  /** A person arms a configuration, in this place: DISARMED and REDUCING end, a halt stays. Journaled first. */
  armed(by: Omit<ArmedDetail, 'instance'>): void {
    this.log.commit(this.log.make('armed', { ...by, ...this.instance }, { reason: by.who === 'kairos' ? 'BY_RULE' : 'BY_PERSON' }));
    this.disarmed = null;
    this.reduced = null;
  }

  private armedByRule(why: string): void {
    this.armed(this.byRule(why));
  }

  private byRule(why: string): ArmedDetail {
    const { configHash, build } = this;
    return { who: 'kairos', why, configHash, config: '', build };
  }

  /** Ends REDUCING once `trading.rearmAfter` has passed and the journal can be written. True where it did. */
  rearmIfDue(now: Millis): boolean {
    if (this.reduced === null || now < (this.stops.reducing?.until ?? Number.POSITIVE_INFINITY)) return false;
    const why = `trading.rearmAfter has passed since: ${this.reduced.why}`;
    if (!this.log.attempt(this.log.make('armed', { ...this.byRule(why), anew: true }, { reason: 'BY_RULE' }))) return false;
    this.reduced = null;
    return true;
  }

  isPaused(strategy: StrategyId): boolean {
    return this.paused.has(null) || this.paused.has(strategy);
  }

  /** All that holds a strategy: what stops all of them, and the pauses of all and of its own. */
  latchesOf(strategy: StrategyId): readonly StandingLatch[] {
    const { stops } = this;
    return [
      ...(['halted', 'disarmed', 'reducing'] as const).flatMap((kind) => {
        const stop = stops[kind];
        return stop === null ? [] : { ...stop, kind, strategy: null, until: stop.until ?? undefined };
      }),
      ...[this.paused.get(null), this.paused.get(strategy)].flatMap((pause) => (pause ? { ...pause, kind: 'paused' as const } : [])),
    ];
  }

  /** Sets the latch first, so that no byte leaves, and then journals it. Of further halts, a person's that says something new is journaled too. True where it was. */
  halt(reason: Reason, who: string, why: string): boolean {
    this.latch.set();
    if (this.halted !== null && reason !== 'BY_PERSON') return false;
    const halted = this.halted === null ? { who, why, since: this.log.now, reason } : saidAgain(this.halted, { who, why });
    if (halted === this.halted) return false;
    this.halted = halted;
    this.log.keep(this.log.make('halted', { who, why }, { reason }));
    return true;
  }

  /** Halts because of an error that nobody handled, journal or not: journaled anew whatever stood, since the process ends. False where the row is not durable. */
  fault(error: unknown): boolean {
    const why = messageOf(error);
    const ofJournal = error instanceof KairosError && (error.code === 'JOURNAL_FAULT' || error.code === 'RECORDING_FAULT');
    const reason = ofJournal ? 'JOURNAL_FAULT' : 'UNCAUGHT';
    this.latch.setForGood();
    this.halted ??= { who: 'kairos', why, since: this.log.now, reason };
    return this.log.keep(this.log.make('halted', { who: 'kairos', why }, { reason }));
  }

  /** Ends a halt, REDUCING and the pause of all, or the pause of one strategy. Journaled first: nothing is released before that is durable. */
  resume(strategy: StrategyId | null, who: string, why: string): void {
    const detail = { who, why, ...(strategy === null && ({ anew: true, leaves: 'single pauses' } as const)) };
    this.log.commit(this.log.make('resumed', detail, { strategy, reason: 'BY_PERSON' }));
    this.paused.delete(strategy);
    if (strategy !== null) return;
    this.halted = null;
    this.reduced = null;
    this.latch.clear();
  }

  /** Ends a halt for exits alone, as `flatten` does: REDUCING takes its place and pauses stay. One commit. */
  resumeReducing(who: string, why: string): void {
    const { log } = this;
    log.commit(
      log.make('resumed', { who, why, leaves: 'pauses' }, { reason: 'BY_PERSON' }),
      log.make('reducing', { who, why }, { reason: 'BY_PERSON' }),
    );
    this.reduced = { who, why, since: log.now, reason: 'BY_PERSON' };
    this.halted = null;
    this.latch.clear();
  }

  /** Ends a pause, of one strategy or of all, and nothing else. Says what a person alone ends, and ends nothing then; null where it did. */
  unpause(strategy: StrategyId | null, by: { reason: Reason; who: string; why: string }): string | null {
    if (strategy === null && this.halted !== null) return 'trading is halted';
    if (strategy === null && this.reduced !== null) return 'trading is REDUCING';
    const paused = this.paused.get(strategy);
    if (paused?.reason === 'BY_PERSON' && by.reason !== 'BY_PERSON') return `paused by ${paused.who} (${paused.why})`;
    const detail = { who: by.who, why: by.why, ...(strategy === null && ({ leaves: 'single pauses' } as const)) };
    this.log.commit(this.log.make('resumed', detail, { strategy, reason: by.reason }));
    this.paused.delete(strategy);
    return null;
  }

  /** Openings stop; exits go on. */
  pause(strategy: StrategyId | null, by: { reason: Reason; who: string; why: string }): void {
    const { who, why } = by;
    const paused = this.paused.get(strategy);
    const reason = pausedBy(paused?.reason, by.reason);
    this.paused.set(strategy, { ...(paused ? saidAgain(paused, { who, why }) : { strategy, who, why, since: this.log.now }), reason });
    this.log.keep(this.log.make('paused', { who, why }, { strategy, reason: by.reason }));
  }
}

/** Why a start must not trade: nothing, another configuration, other code (F67), or a journal elsewhere was armed. Null if it may. */
function notArmed({ configHash, build, instance, risk: { armed } }: Beginning): string | null {
  if (armed === null) return 'nothing was armed yet';
  if (armed.configHash !== configHash) return `the configuration is not the armed one (${armed.configHash.slice(0, 12)})`;
  if (armed.build !== build) return 'Kairos or the source of a strategy is not what was armed';
  return armed.instance === instance ? null : 'this journal was armed in another place: it is a copy, or was moved';
}
