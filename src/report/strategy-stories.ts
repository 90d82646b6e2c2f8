import type { Decision, DecisionOf } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import type { Millis } from '#domain/names.ts';
import { fillIn } from './held-by-fills.ts';
import { addTo, RefusalsByReason, timesOf } from './refused-words.ts';

/** An error of a strategy: where and what, as it was journaled. */
interface Failure {
  readonly at: Millis;
  readonly error: string;
}

/** What a strategy did in a run, by its decisions. */
export interface StrategyStory {
  readonly strategy: string;
  /** How often it threw or gave an unreadable answer. */
  readonly failures: number;
  /** How many of them ended its streams, which then began anew. */
  readonly restarts: number;
  readonly first: Failure | null;
  /** Null while it is enabled. */
  readonly disabled: { readonly at: Millis; readonly who: string; readonly why: string; readonly reason: string | null } | null;
  /** Signals that were not a number and led to nothing; `where`: what the journal says of them. */
  readonly nan: { readonly at: Millis; readonly count: number; readonly why: string } | null;
  readonly warmingUp: string | null;
  /** How often it held, warm-up and NaN apart, and why at last. */
  readonly held: { readonly count: number; readonly why: string } | null;
  /** Intents that were refused. */
  readonly refused: RefusalsByReason;
  /** Outcomes of its orders other than accepted, by kind and reason. */
  readonly missed: ReadonlyMap<string, number>;
  /** Plans of several legs of which a later one came to nothing: by what its last attempt came to, and what became of the legs before it. */
  readonly legsFailed: {
    readonly at: Millis;
    readonly lasts: ReadonlyMap<string, number>;
    readonly policies: ReadonlyMap<string, number>;
  } | null;
  readonly intents: number;
  readonly fills: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Story = Mutable<Omit<StrategyStory, 'missed' | 'legsFailed'>> & {
  readonly missed: Map<string, number>;
  legsFailed: { readonly at: Millis; readonly lasts: Map<string, number>; readonly policies: Map<string, number> } | null;
};

const MISSED: ReadonlySet<Decision['kind']> = new Set(['expired', 'not_sent', 'rejected', 'unknown', 'lapsed', 'leg_failed']);

/** Reads decisions one after the other into a story for each strategy. */
export class StrategyStories {
  private readonly byId = new Map<string, Story>();

  /** `before`: what stood latched when the run began. */
  constructor(before: readonly Latch[]) {
    for (const { kind, strategy, who, why, reason, since } of before) {
      if (kind === 'disabled' && strategy !== null) this.story(strategy).disabled = { at: since, who, why, reason: reason ?? null };
    }
  }

  /** The story of a strategy; an empty one without decisions. */
  of(strategy: string): StrategyStory {
    return this.story(strategy);
  }

  add(decision: Decision): void {
    if (decision.strategy === null) return;
    const story = this.story(decision.strategy);
    if (MISSED.has(decision.kind)) addTo(story.missed, `${decision.kind} ${decision.reason ?? ''}`.trimEnd());
    if (fillIn(decision) !== null) story.fills += 1;
    switch (decision.kind) {
      case 'threw':
        story.failures += 1;
        if (decision.detail.anew) story.restarts += 1;
        story.first ??= { at: decision.at, error: decision.detail.error };
        return;
      case 'disabled':
        story.disabled = { at: decision.at, who: decision.detail.who, why: decision.detail.why, reason: decision.reason };
        return;
      case 'enabled':
        story.disabled = null;
        return;
      case 'intent':
        story.intents += 1;
        return;
      case 'leg_failed':
        return legFailed(story, decision);
      case 'refused':
        return story.refused.add(decision);
      case 'hold':
        return held(story, decision.reason, { at: decision.at, ...decision.detail });
      default:
        return;
    }
  }

  private story(strategy: string): Story {
    const known = this.byId.get(strategy);
    if (known) return known;
    const nothing = { failures: 0, restarts: 0, first: null, disabled: null, nan: null, warmingUp: null, held: null, intents: 0, fills: 0 };
    const story: Story = { strategy, ...nothing, legsFailed: null, refused: new RefusalsByReason(), missed: new Map() };
    this.byId.set(strategy, story);
    return story;
  }
}

/** That a first leg came to nothing is a refusal like any other: nothing was executed before it. */
function legFailed(story: Story, { at, detail }: DecisionOf<'leg_failed'>): void {
  if (detail.leg === 1) return;
  story.legsFailed ??= { at, lasts: new Map(), policies: new Map() };
  addTo(story.legsFailed.lasts, detail.last ?? 'LAPSED');
  addTo(story.legsFailed.policies, detail.policy);
}

function held(story: Story, reason: string | null, row: { readonly at: Millis; readonly why: string; readonly repeated?: number }): void {
  const { at, why } = row;
  const count = timesOf(row.repeated);
  if (reason === 'WARMING_UP') {
    story.warmingUp = why;
    return;
  }
  story.warmingUp = null;
  if (reason === 'SIGNAL_NAN') story.nan = { at: story.nan?.at ?? at, count: (story.nan?.count ?? 0) + count, why };
  else story.held = { count: (story.held?.count ?? 0) + count, why };
}
