import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runRows, runSpans, whysOf } from '#adapters/journal/booked.ts';
import { DecisionPages } from '#adapters/journal/decision-pages.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import { runNamed } from '#assembly/run-record.ts';
import { KairosError, never } from '#domain/errors.ts';
import { isDry } from '#domain/mode.ts';
import { isoTime } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import type { Timers } from '#ports/timers.ts';
import { orderWords } from '#report/order-words.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { DecisionHistory, OrderStoryView, PriceHistory, ProfitDays, RunsView } from '#server/page/history-view.ts';
import { stepFor } from './bars.ts';
import { chartHistory } from './chart-history.ts';
import { decisionView } from './decision-view.ts';
import type { DocumentAsk } from './document-pages.ts';
import { EquityReader } from './equity-history.ts';
import { PastTrades, RUN } from './past-trades.ts';
import { type HistoryPlaces, priceHistory } from './price-history.ts';
import { Replays } from './replay-history.ts';
import { RunQuotes } from './run-quotes.ts';
import type { ReportAsk } from './run-reports.ts';
import { SignalLines } from './signal-lines.ts';
import { tradesCsv, tradesView, tradeView } from './trade-history.ts';

/** Reports in files that are listed, the newest. */
const MAX_REPORTS = 200;

const ALL = { offset: 0, limit: Number.MAX_SAFE_INTEGER };

/** Everything that history is read from. */
interface HistoryOptions extends HistoryPlaces {
  /** Folders of reports; of files of one name that of the first counts. */
  readonly reports: readonly string[];
  readonly timers: Pick<Timers, 'monotonicMs'>;
}

/** Answers the page's questions about the past as JSON, or as HTML for a report in a file; reports of runs are made elsewhere. Throws NOT_FOUND, and errors of reading. */
export class History {
  private readonly options: HistoryOptions;
  private readonly journal: JournalReader;
  private readonly pages: DecisionPages;
  private readonly trades: PastTrades;
  private readonly quotes: RunQuotes;
  private readonly lines: SignalLines;
  private readonly equity: EquityReader;
  private readonly replays: Replays;
  private readonly whyOf: (order: string) => string;

  constructor(options: HistoryOptions) {
    const { journal, recordings, timers } = options;
    this.options = options;
    this.journal = JournalReader.open(journal);
    this.pages = DecisionPages.open(journal);
    this.trades = new PastTrades(this.journal);
    this.quotes = new RunQuotes(recordings, () => timers.monotonicMs());
    this.lines = new SignalLines(recordings);
    this.equity = new EquityReader({
      journal: this.journal,
      trades: this.trades,
      quotes: this.quotes,
      monotonicMs: () => timers.monotonicMs(),
    });
    this.replays = new Replays({ journal: this.journal, pages: this.pages, trades: this.trades, recordings });
    this.whyOf = this.journal.named(whysOf);
  }

  /** A product over a time. Signals are played on recorded quotes for it, for which strategies are loaded. */
  async chart(ask: Extract<HistoryAsk, { kind: 'chart' }>): Promise<string> {
    const { journal, pages, quotes, lines } = this;
    return JSON.stringify(await chartHistory(ask, journal, { pages, quotes, lines, trades: this.trades.readOn() }));
  }

  /** The prices of a strategy, with its signals in each of so many bars where they can be played. */
  async prices(ask: Extract<HistoryAsk, { kind: 'prices' }>): Promise<string> {
    const { journal, pages, quotes, lines, options } = this;
    const found = priceHistory(ask, journal, { pages, places: options });
    const [from, to] = [Date.parse(found.from), Date.parse(found.to) + 1];
    const runs = journal.named(runSpans);
    const read = (product: string, since: number) => quotes.between(runs, { product, from: since, to });
    const span = { from, to, stepMs: stepFor(to - from, ask.points) };
    const whole = Object.fromEntries(await lines.of(found.strategy, runNamed(journal, ask.run), span, read));
    return JSON.stringify({ ...found, signals: { ...found.signals, ...whole }, whole: Object.keys(whole) } satisfies PriceHistory);
  }

  answer(ask: Exclude<HistoryAsk, ReportAsk | DocumentAsk | { readonly kind: 'chart' | 'prices' }>): string {
    switch (ask.kind) {
      case 'equity':
        return JSON.stringify(this.equity.read(ask.run));
      case 'trades':
        return JSON.stringify(tradesView(this.trades.readOn().found, ask, this.whyOf));
      case 'trades-csv':
        return tradesCsv(this.trades.readOn().found.trades(ask, ALL), this.whyOf, isoTime);
      case 'profit':
        return JSON.stringify({ days: this.trades.readOn().days() } satisfies ProfitDays);
      case 'decisions':
        return JSON.stringify(this.decisions(ask));
      case 'order':
        return JSON.stringify(this.story(ask.order));
      case 'runs':
        return JSON.stringify(this.runs());
      case 'replay':
        return JSON.stringify(this.replays.read(ask));
      case 'replay-marks':
        return JSON.stringify(this.replays.marks(ask.run));
      case 'report-file':
        return this.reportFile(ask.name);
      default:
        return never(ask);
    }
  }

  private decisions({ before, after, limit, strategy, kinds, without }: Extract<HistoryAsk, { kind: 'decisions' }>): DecisionHistory {
    const rows = this.pages.before({
      before: before ?? Number.MAX_SAFE_INTEGER,
      after: after ?? 0,
      limit: limit + 1,
      strategy,
      kinds,
      without,
    });
    const { trades } = this;
    // What was closed long ago is known once it was prepared: nobody waits for it here.
    trades.readSome(() => false);
    const views = rows.slice(0, limit).map((row) => decisionView(row, (order) => trades.closedBy(order)));
    return { decisions: views, more: rows.length > limit };
  }

  private story(id: string): OrderStoryView {
    const story = this.journal.story(id);
    if (!story) throw new KairosError('NOT_FOUND', `there is no order ${id}`);
    const { order } = story;
    const decisions = story.decisions.map(decisionOf);
    const [first] = decisions;
    const at = first?.at ?? 0;
    const fills = decisions.map((one) => (one.kind === 'accepted' || one.kind === 'resolved' ? one.detail.fill : null));
    const { trades } = this;
    trades.readSome(() => false);
    return {
      order: id,
      state: order?.state ?? null,
      product: first?.product ?? '',
      at: isoTime(at),
      fill: fills.findLast((fill) => fill !== null) ?? null,
      trips: trades.found.tripsOf(id, at).map((trade) => tradeView(trade, this.whyOf)),
      lines: orderWords({ ...story, decisions, isDry: isDry(this.journal.lastRun()?.mode) }).map(([about, text]) => ({
        about,
        text: oneLine(text),
      })),
    };
  }

  private runs(): RunsView {
    const { found } = this.trades.readOn();
    const counts = found.counts();
    const closed = Map.groupBy(found.tallies(RUN), ({ of }) => of.slice(RUN.length));
    const none = { decisions: 0, orders: 0, accepted: 0 };
    return {
      runs: this.journal
        .named(runRows)
        .toReversed()
        .map(({ run_id, mode, version, started_at, ended_at, end_state }) => {
          const { decisions, orders, accepted } = counts.get(run_id) ?? none;
          return {
            run: run_id,
            mode,
            version,
            startedAt: started_at,
            endedAt: ended_at,
            endState: end_state,
            decisions,
            orders,
            accepted,
            closed: (closed.get(run_id) ?? []).map(({ profit, currency }) => ({ profit, currency })),
          };
        }),
      reports: this.reportFiles(),
    };
  }

  private reportFiles(): RunsView['reports'] {
    const files = this.options.reports.filter((folder) => existsSync(folder)).flatMap((folder) => reportsIn(folder));
    return files.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_REPORTS);
  }

  private reportFile(name: string): string {
    const file = this.options.reports.map((folder) => path.join(folder, name)).find((one) => existsSync(one));
    if (file === undefined) throw new KairosError('NOT_FOUND', `there is no report ${name}`);
    return readFileSync(file, 'utf8');
  }
}

function reportsIn(folder: string): RunsView['reports'] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return names.flatMap((name) => {
    const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return stats ? [{ name, at: isoTime(Math.round(stats.mtimeMs)), bytes: stats.size }] : [];
  });
}
