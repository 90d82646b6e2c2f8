import type { StrategyInstance } from '#core/strategy/instance.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { SignalPoint } from '#server/page/history-view.ts';
import type { RunOfPlay } from './load-play.ts';
import type { SilentPlay } from './silent-play.ts';

/** Time before what is asked for in which signals warm up, besides a warm-up that is a time. */
const LEAD_MS = 15 * 60_000;

/** A stretch of time, the end exclusive, and the length of its bars. */
interface LinesSpan {
  readonly from: Millis;
  readonly to: Millis;
  readonly stepMs: Millis;
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

  async of(strategy: string, run: RunOfPlay, span: LinesSpan, read: ReadQuotes): Promise<NamedLines> {
    if (this.run !== run.run_id) this.plays.clear();
    this.run = run.run_id;
    const loading = this.plays.get(strategy) ?? loaded(strategy, run, this.recordings);
    this.plays.set(strategy, loading);
    const play = await loading;
    if (!play) return new Map();
    const from = span.from - LEAD_MS - play.warmUpMs;
    const products = [...new Set(productsOf(play.instance))];
    const parts = products.flatMap((product) => [...read(product, from)]);
    play.playOn(parts.flat(), from);
    return play.lines(span);
  }
}

const productsOf = ({ product, inputs }: StrategyInstance): readonly string[] => [
  product,
  ...Object.values(inputs ?? {}).map((input) => input.product),
];

/** Strategies and what runs them are loaded for the first line: no first screen waits for it. */
const loaded = (strategy: string, run: RunOfPlay, recordings: string): Promise<SilentPlay | undefined> =>
  import('./load-play.ts').then(({ loadPlay }) => loadPlay(strategy, run, recordings));
