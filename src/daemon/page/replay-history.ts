import type { DecisionPages } from '#adapters/journal/decision-pages.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { REFUSAL_ROWS, ReplayRows } from '#adapters/journal/replay-rows.ts';
import type { RowSpan } from '#adapters/journal/seek.ts';
import type { ClosedSum } from '#adapters/journal/trade-queries.ts';
import { isRecorded } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { runNamed } from '#assembly/run-record.ts';
import { recordedSettings } from '#config/recorded.ts';
import { KairosError } from '#domain/errors.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { entryOf } from '#domain/position.ts';
import { dayStart } from '#domain/utc-day.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { ClosedProfit, DecisionView } from '#server/page/past-view.ts';
import type { ReplayMarks, ReplayStep, ReplayStrategy, ReplayView } from '#server/page/replay-view.ts';
import { decisionView, latchView } from './decision-view.ts';
import { PastHoldings } from './past-holdings.ts';
import type { PastTrades } from './past-trades.ts';
import { STANDING } from './run-so-far.ts';

type ReplayAsk = Extract<HistoryAsk, { kind: 'replay' }>;

/** Rows of the feed. */
const FEED = 60;
/** Number of rows searched for the last decision of a strategy. */
const LAST_ROWS = 20_000;
/** Most marks of each kind along a run: no screen shows more of them apart. */
const MARKS = 400;

interface ReplayOptions {
  readonly journal: JournalReader;
  readonly pages: DecisionPages;
  readonly trades: PastTrades;
  readonly recordings: string;
}

/** Runs as of a moment, from a few journal rows around it; a run is never read as a whole. */
export class Replays {
  private readonly options: ReplayOptions;
  private readonly rows: ReplayRows;
  private readonly heldThen: PastHoldings;

  constructor(options: ReplayOptions) {
    this.options = options;
    this.rows = options.journal.named((database) => new ReplayRows(database));
    this.heldThen = new PastHoldings(options.trades);
  }

  /** Throws NOT_FOUND for a run that is not there, or whose rows are in an archive. */
  read({ run: name, at, seq: wanted, to, back }: ReplayAsk): ReplayView {
    const { journal, pages, trades, recordings } = this.options;
    const { run_id, config_json, mode, version } = runNamed(journal, name);
    const span = this.spanOf(run_id);
    const begin = wanted ?? (at === null ? span.first : this.rows.upTo(span, isoTime(at)));
    const inside = Math.min(Math.max(begin, span.first - 1), span.last);
    const moved = to === null ? inside : this.moved(to, { span, seq: inside, back });
    const seq = moved ?? inside;
    const record = pages.before({ before: seq + 1, after: span.first - 1, limit: 1, strategy: null, kinds: null, without: null })[0];
    const [first] = pages.after(span.first - 1, 1);
    const [last] = pages.after(span.last - 1, 1);
    const from = first?.at ?? '';
    // Prices move between two rows: the view is of the requested moment.
    const moment = at !== null && to === null ? isoTime(at) : (record?.at ?? from);
    trades.readOn();
    const view = (row: Parameters<typeof decisionView>[0]): DecisionView => decisionView(row, (order) => trades.closedBy(order));
    const latches = journal.latches(moment);
    const { strategies } = recordedSettings(run_id, config_json);
    const held = this.heldThen.at(Date.parse(moment));
    const until = Date.parse(moment) + 1;
    const ofRun = trades.found.closedBetween({ from: Date.parse(from), to: until });
    const ofDay = trades.found.closedBetween({ from: dayStart(Date.parse(moment)), to: until });
    const configured = new Set(strategies.map(({ id, product }) => `${id} ${product.toLowerCase()}`));
    return {
      run: run_id,
      mode,
      version,
      from,
      to: last?.at ?? from,
      unrecorded: isRecorded(logPath(recordings, run_id))
        ? null
        : 'the recording of this run is gone: what stands here is from its journal alone',
      products: [...new Set(strategies.map(({ product }) => product.toLowerCase()))],
      note: moved === undefined && to !== null ? noteOf(to, back) : '',
      row: record ? view(record) : null,
      isFirst: seq <= span.first,
      isLast: seq >= span.last,
      trading: tradingOf(latches),
      latches: latches.map((latch) => latchView(latch, latch.reason ?? null)),
      strategies: strategies.map(({ id, product }): ReplayStrategy => {
        const own = held.find((one) => one.book === id && one.product === product.toLowerCase());
        const [said] = pages.before({ before: seq + 1, after: seq - LAST_ROWS, limit: 1, strategy: id, kinds: null, without: STANDING });
        return {
          id,
          product: product.toLowerCase(),
          state: stateOf(id, latches),
          position: own?.size.toString() ?? '0',
          entry: own ? (entryOf(own.lots)?.toString() ?? null) : null,
          closed: closedOf(ofRun.filter(({ book }) => book === id)),
          last: said ? view(said) : null,
        };
      }),
      otherBooks: held
        .filter(({ book, product }) => !configured.has(`${book} ${product}`))
        .map(({ book, product, size }) => ({ id: book, product, position: size.toString() })),
      orders: this.rows.openAt({ at: moment, seq, from }).map(({ order_id, intent_at, strategy, product, side, state, size, price }) => ({
        ...{ order: order_id, strategy, product, side, state, size, price, since: intent_at },
      })),
      closed: closedOf(ofRun),
      closedToday: closedOf(ofDay),
      feed: pages.before({ before: seq + 1, after: span.first - 1, limit: FEED, strategy: null, kinds: null, without: null }).map(view),
    };
  }

  marks(name: string): ReplayMarks {
    const { orders, alarms } = this.rows.marksOf(this.spanOf(runNamed(this.options.journal, name).run_id));
    const thin = (times: readonly string[], kind: 'order' | 'alarm'): ReplayMarks['marks'] =>
      thinned(times.map((at) => Date.parse(at))).map((at) => ({ at, kind }));
    return { marks: [...thin(orders, 'order'), ...thin(alarms, 'alarm')] };
  }

  private spanOf(run: string): RowSpan {
    const span = this.rows.spanOf(run);
    if (span) return span;
    throw new KairosError(
      'NOT_FOUND',
      `the journal has no decisions of run ${run}: it made none, or an archive has them (\`kairos journal runs\`)`,
    );
  }

  private moved(to: ReplayStep, from: Parameters<ReplayRows['step']>[0]): number | undefined {
    switch (to) {
      case 'decision':
        return this.rows.step(from);
      case 'order':
        return this.rows.order(from);
      case 'refusal':
        return this.rows.refusal(from);
      case 'alarm':
        return this.rows.alarm(from);
    }
  }
}

function noteOf(to: ReplayStep, back: boolean): string {
  const where = back ? 'before' : 'after';
  const far = to === 'refusal' ? ` within ${REFUSAL_ROWS.toLocaleString('en')} decisions` : '';
  return `This run has no ${to} ${where} this moment${far}.`;
}

/** The state of trading by the latches that hold for all strategies; the first of several counts. */
function tradingOf(latches: readonly Latch[]): ReplayView['trading'] {
  const all = new Set(latches.filter(({ strategy }) => strategy === null).map(({ kind }) => kind));
  return all.has('halted') ? 'HALTED' : all.has('disarmed') ? 'DISARMED' : all.has('reducing') ? 'REDUCING' : 'ACTIVE';
}

const STATES = [
  ['disabled', 'DISABLED'],
  ['halted', 'HALTED'],
  ['disarmed', 'DISARMED'],
  ['paused', 'PAUSED'],
  ['reducing', 'REDUCING'],
] as const;

function stateOf(id: string, latches: readonly Latch[]): ReplayStrategy['state'] {
  const kinds = new Set(latches.filter(({ strategy }) => strategy === null || strategy === id).map(({ kind }) => kind));
  return STATES.find(([kind]) => kinds.has(kind))?.[1] ?? 'RUNNING';
}

function closedOf(closed: readonly ClosedSum[]): readonly ClosedProfit[] {
  const sums = new Map<string, number>();
  for (const { currency, profit } of closed) sums.set(currency, (sums.get(currency) ?? 0) + profit);
  return [...sums].map(([currency, profit]) => ({ currency, profit }));
}

/** The first of the times in each of a number of stretches. */
function thinned(times: readonly Millis[]): readonly Millis[] {
  const [first = 0] = times;
  const width = ((times.at(-1) ?? first) - first) / MARKS;
  let next = Number.NEGATIVE_INFINITY;
  return times.filter((at) => {
    if (at < next) return false;
    next = at + width;
    return true;
  });
}
