import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DecisionPages } from '#adapters/journal/decision-pages.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import { columnsIn } from '#adapters/recording/open-columns.ts';
import { isRecorded } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { runRecord } from '#apps/assembly/run-record.ts';
import { reportOfRun } from '#apps/operations/report/run-report.ts';
import { KairosError, never } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { orderWords } from '#report/order-words.ts';
import { reportPage } from '#report/page/page.ts';
import { reportCurrency, runEquity } from '#report/valued.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { DecisionHistory, EquityHistory, OrderStoryView, RunsView } from '#server/page/history-view.ts';
import { decisionView } from './decision-view.ts';
import { type HistoryPlaces, priceHistory } from './price-history.ts';

/** Reports in files that are listed, the newest. */
const MAX_REPORTS = 200;

/** Everything that history is read from. */
interface HistoryOptions extends HistoryPlaces {
  /** Folders of reports; of files of one name that of the first counts. */
  readonly reports: readonly string[];
}

/** Answers what the page asks of the past: JSON, or a page of HTML for a report. Throws NOT_FOUND and what reading throws. */
export class History {
  private readonly options: HistoryOptions;
  private readonly journal: JournalReader;
  private readonly pages: DecisionPages;

  constructor(options: HistoryOptions) {
    this.options = options;
    this.journal = JournalReader.open(options.journal);
    this.pages = DecisionPages.open(options.journal);
  }

  answer(ask: HistoryAsk): string {
    const { journal, pages, options } = this;
    switch (ask.kind) {
      case 'equity':
        return JSON.stringify(this.equity(ask.run));
      case 'prices':
        return JSON.stringify(priceHistory(ask, journal, { pages, places: options }));
      case 'decisions':
        return JSON.stringify(this.decisions(ask));
      case 'order':
        return JSON.stringify(this.story(ask.order));
      case 'runs':
        return JSON.stringify(this.runs());
      case 'run-report': {
        const settings = { journal: { path: options.journal }, recording: { dir: options.recordings } };
        return reportPage(reportOfRun({ settings, run: ask.run }));
      }
      case 'report-file':
        return this.reportFile(ask.name);
      default:
        return never(ask);
    }
  }

  private equity(name: string): EquityHistory {
    const record = runRecord(this.journal, name);
    const log = logPath(this.options.recordings, record.run);
    const columns = isRecorded(log) ? columnsIn([log]) : [];
    const now = columns.reduce((last, { at, length }) => Math.max(last, at[length - 1] ?? 0), record.endedAt);
    const { currency } = reportCurrency(record, columns);
    const equity = runEquity({ ...record, endedAt: now }, columns, { currency });
    if (typeof equity === 'string') return { run: record.run, currency, why: equity, points: [] };
    const falls = new Map(equity.fallChart.map(({ at, high }) => [at, high]));
    const points = equity.chart.map(({ at, low, high, last }) => ({
      at,
      equity: last,
      low,
      high,
      drawdownPct: (falls.get(at) ?? 0) * 100,
    }));
    return { run: record.run, currency, why: null, points };
  }

  private decisions({ before, limit, strategy, kinds, without }: Extract<HistoryAsk, { kind: 'decisions' }>): DecisionHistory {
    const rows = this.pages.before({ before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1, strategy, kinds, without });
    return { decisions: rows.slice(0, limit).map(decisionView), more: rows.length > limit };
  }

  private story(id: string): OrderStoryView {
    const story = this.journal.story(id);
    if (!story) throw new KairosError('NOT_FOUND', `there is no order ${id}`);
    const { order, decisions, ledger } = story;
    const lines = orderWords(decisions.map(decisionOf), ledger).map(([about, text]) => ({ about, text: oneLine(text) }));
    return { order: id, state: order?.state ?? null, lines };
  }

  private runs(): RunsView {
    const runs = this.journal.runs().toReversed();
    return {
      runs: runs.map(({ run_id, mode, version, started_at, ended_at, end_state, decisions, orders, accepted }) => ({
        run: run_id,
        mode,
        version,
        startedAt: started_at,
        endedAt: ended_at,
        endState: end_state,
        decisions,
        orders,
        accepted: accepted ?? 0,
      })),
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
  return names.map((name) => {
    const { mtimeMs, size } = statSync(path.join(folder, name));
    return { name, at: isoTime(Math.round(mtimeMs)), bytes: size };
  });
}
