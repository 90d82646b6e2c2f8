import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { type LoadedStrategy, loadStrategies } from '#assembly/assemble.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { SignalPoint } from '#server/page/history-view.ts';
import { SilentPlay } from './silent-play.ts';

/** Time before what is asked for in which signals warm up, besides a warm-up that is a time. */
const LEAD_MS = 15 * 60_000;

/** The run whose strategies are meant. */
interface RunOfLines {
  readonly run_id: string;
  readonly config_json: string;
}

/** A stretch of time, the end exclusive, the length of its bars, and whether to wait until strategies are loaded. */
interface LinesSpan {
  readonly from: Millis;
  readonly to: Millis;
  readonly stepMs: Millis;
  readonly waits: boolean;
}

/** Recorded quotes of a product in a time, run after run. */
type ReadQuotes = (product: string, from: Millis) => Iterable<readonly QuoteColumns[]>;

/** By name, the last value in each bar. */
type NamedLines = ReadonlyMap<string, readonly SignalPoint[]>;

/**
 * What strategies name at each quote and not only where they decide: their signals live through the recorded quotes once more. A strategy
 * has no lines where its source is another one than in the run, and where its signals hear of more than quotes.
 */
export class SignalLines {
  private readonly recordings: string;
  private readonly plays = new Map<string, Promise<SilentPlay | undefined>>();
  private run = '';

  constructor(recordings: string) {
    this.recordings = recordings;
  }

  /** The lines of one strategy of a run; undefined where it must be loaded for them and `span.waits` is false: whoever asks next waits. */
  async of(strategy: string, run: RunOfLines, span: LinesSpan, read: ReadQuotes): Promise<NamedLines | undefined> {
    if (this.run !== run.run_id) this.plays.clear();
    this.run = run.run_id;
    const isLoading = this.plays.has(strategy);
    const loading = this.plays.get(strategy) ?? this.load(strategy, run);
    this.plays.set(strategy, loading);
    if (!isLoading && !span.waits) return undefined;
    const play = await loading;
    if (!play) return new Map();
    const from = span.from - LEAD_MS - play.warmUpMs;
    const products = [...new Set(productsOf(play.instance))];
    const parts = products.flatMap((product) => [...read(product, from)]);
    play.playOn(parts.flat(), from);
    return play.lines(span);
  }

  private async load(strategy: string, { run_id, config_json }: RunOfLines): Promise<SilentPlay | undefined> {
    const settings = recordedSettings(run_id, config_json);
    const strategies = settings.strategies.filter(({ id }) => id === strategy);
    try {
      const then = this.sourcesIn(run_id);
      const [loaded] = await loadStrategies({ ...settings, strategies }, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
      if (!loaded || then[strategy] !== loaded.sourceHash || !hearsQuotesAlone(loaded)) return undefined;
      return new SilentPlay(loaded.strategy, settings.trading.warmUpMaxGapMs ?? Number.POSITIVE_INFINITY);
    } catch (error) {
      // What cannot be played again is shown where it was decided on.
      if (!(error instanceof KairosError)) throw error;
      return undefined;
    }
  }

  /** The hash of each strategy's source in a run. */
  private sourcesIn(run: string): Readonly<Record<string, string>> {
    const { value: first } = openRun(logPath(this.recordings, run)).items().next();
    return first?.kind === 'event' && first.event.event.kind === 'start' ? first.event.event.facts.strategySources : {};
  }
}

const hearsQuotesAlone = ({ strategy: { inputs } }: LoadedStrategy): boolean =>
  Object.values(inputs ?? {}).every(({ kind }) => kind === 'lane');

const productsOf = ({ product, inputs }: StrategyInstance): readonly string[] => [
  product,
  ...Object.values(inputs ?? {}).map((input) => input.product),
];
