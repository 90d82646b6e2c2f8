import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { type LoadedStrategy, loadStrategies } from '#apps/assembly/assemble.ts';
import { engineRules } from '#apps/assembly/engine-rules.ts';
import { VERSION } from '#apps/assembly/package.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Decided, MarkedStrategy } from '#core/strategy/contract.ts';
import { journaled } from '#core/strategy/journaled.ts';
import { KairosError } from '#domain/errors.ts';
import type { Numbered } from '#domain/event.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { LaneId, Millis, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Asked, LaneSeen, StrategySeen } from '#report/seen.ts';
import { engineOfRun, factsOf } from './recorded-run.ts';

interface ReplayOptions {
  /** The inbox log of the run. */
  readonly path: string;
  /** Events after this time are left out. */
  readonly upTo: Millis;
  /** Folders in which strategy modules are looked for. */
  readonly folders: { readonly cwd: string; readonly packaged: string };
}

/**
 * Replays the recorded inbox of a run in a fresh engine up to a time, and returns what each strategy saw by then. Sends
 * and writes nothing. Throws a KairosError if recording or strategies cannot be read.
 */
export async function replayRun({ path, upTo, folders }: ReplayOptions): Promise<ReadonlyMap<StrategyId, StrategySeen>> {
  const log = openRun(path);
  const facts = factsOf(log);
  if (facts.version !== VERSION) {
    throw new KairosError(
      'RECORDING_UNREADABLE',
      `recording ${path} was made by Kairos ${facts.version}, this is ${VERSION}: use that one`,
    );
  }
  const settings = recordedSettings(facts.run, facts.config);
  const loaded = await loadStrategies(settings, folders);
  const asked = new Map<StrategyId, Asked & { readonly times: number }>();
  const watched = loaded.map(
    (one): LoadedStrategy => ({
      ...one,
      strategy: { ...one.strategy, definition: watch(one, asked, () => engine.observed(one.strategy.id)) },
    }),
  );
  const { engine } = engineOfRun({ settings, strategies: watched, journal: new MemoryJournal() });
  const { freshnessOf, lanes: standing } = engineRules(settings, loaded);
  const staleAfter = new Map(standing.map(({ id, product }) => [id, freshnessOf(product).staleMs]));
  const lanes = new LanesSeen(upTo, (lane) => staleAfter.get(lane) ?? USUAL_FRESHNESS.staleMs);
  let last: number | undefined;
  for (const item of log.items()) {
    if (item.kind === 'conflated') {
      if (item.at <= upTo) lanes.quote(item.quote, item.at);
      continue;
    }
    const { n, at } = item.event;
    if (at > upTo) break;
    if (n !== (last ?? n - 1) + 1) throw lacking(path, last ?? 0, n);
    last = n;
    lanes.take(item.event);
    engine.handle(item.event);
  }
  return new Map(
    loaded.map(({ strategy, sourceHash }): [StrategyId, StrategySeen] => {
      const last = asked.get(strategy.id);
      return [
        strategy.id,
        {
          lane: lanes.of(strategy.lane),
          state: engine.inspect(({ states }) => states.of(strategy.id, upTo)),
          observed: engine.observed(strategy.id),
          asked: last,
          times: last?.times ?? 0,
          nextTimer: engine.inspect(({ host }) => host.runners.get(strategy.id)?.nextTimer(upTo)),
          sameSource: facts.strategySources[strategy.id] === sourceHash,
        },
      ];
    }),
  );
}

/** The error of a recording with a gap, after which a replay is not possible. */
function lacking(path: string, last: number, next: number): KairosError {
  const why = 'recording.keepDays removes old days of a run, and what followed from them cannot be played again';
  return new KairosError('RECORDING_UNREADABLE', `recording ${path} lacks the events ${last + 1} to ${next - 1}: ${why}`);
}

/** The same strategy, with a record of each call. */
function watch(
  { strategy }: LoadedStrategy,
  asked: Map<StrategyId, Asked & { readonly times: number }>,
  observed: () => Asked['observed'],
): MarkedStrategy {
  const { definition, id } = strategy;
  return {
    ...definition,
    decide(signal, view, params) {
      const times = (asked.get(id)?.times ?? 0) + 1;
      const seen = { at: view.now, signal: journaled(signal), position: view.position.size, observed: { ...observed() }, times };
      asked.set(id, { ...seen, said: 'threw' });
      const returned = definition.decide(signal, view, params);
      asked.set(id, { ...seen, said: saidIn(returned) });
      return returned;
    },
  };
}

function saidIn(returned: Decided): Asked['said'] {
  if (returned === undefined || (Array.isArray(returned) && returned.length === 0)) return 'nothing';
  return 'kind' in returned && returned.kind === 'hold' ? 'hold' : 'intent';
}

/** Keeps the last state of each lane. */
class LanesSeen {
  private readonly upTo: Millis;
  private readonly lanes = new Map<LaneId, LaneSeen>();

  private readonly staleMsOf: (lane: LaneId) => Millis;

  constructor(upTo: Millis, staleMsOf: (lane: LaneId) => Millis) {
    this.upTo = upTo;
    this.staleMsOf = staleMsOf;
  }

  take({ at, event }: Numbered): void {
    if (event.kind === 'quote') this.quote(event.quote, at);
    else if (event.kind === 'lane')
      this.lanes.set(event.change.lane, { ...this.of(event.change.lane), change: event.change, changedAt: at });
  }

  quote(quote: Quote, at: Millis): void {
    const before = this.of(quote.lane);
    const lastMinute = before.lastMinute + (at > this.upTo - 60_000 ? 1 : 0);
    this.lanes.set(quote.lane, { ...before, quote, quoteAt: at, quotes: before.quotes + 1, lastMinute });
  }

  of(lane: LaneId): LaneSeen {
    const staleMs = this.staleMsOf(lane);
    const none = { lane, change: undefined, changedAt: undefined, quote: undefined, quoteAt: undefined, staleMs, quotes: 0, lastMinute: 0 };
    return this.lanes.get(lane) ?? none;
  }
}
