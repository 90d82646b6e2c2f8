import { Bundle } from '#adapters/export/bundle.ts';
import type { AboutName } from '#adapters/export/codes.ts';
import { BUNDLE_VERSION, type BundleRow, type BundleTable } from '#adapters/export/schema.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { RunRow } from '#adapters/journal/tables.ts';
import { isRecorded } from '#adapters/recording/open-run.ts';
import { VERSION } from '#assembly/package.ts';
import { configured, moneyOf, type RecordPaths, recordingOf, runNamed } from '#assembly/run-record.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { isFlow } from '#report/equity/holdings.ts';
import { reportedTrades } from '#report/trades.ts';
import { reportCurrency, runEquity, tripsOfRun } from '#report/valued.ts';
import type { Emission } from '#research/backtest/emissions.ts';
import { playedFrom, quotesOf } from '#research/backtest/played.ts';
import { replayRun } from '#research/parity/replay.ts';
import { recordedQuotes } from '../report/run-report.ts';
import { capitalRow, equityRows, fillRow, orderRows, parameterRows, signalRows, tripRow } from './run-rows.ts';

interface RunExport {
  readonly settings: RecordPaths;
  /** A run's id, or `last`. */
  readonly run: string;
  readonly dir: string;
  /** Folders in which strategy modules are looked for. */
  readonly folders: { readonly cwd: string; readonly packaged: string };
  /** What a backtest emitted as it was played; a run's recording is played again for it. */
  readonly emissions?: readonly Emission[];
}

/** What was written: rows by table, and what is missing, in sentences. */
export interface ExportResult {
  readonly rows: Readonly<Record<BundleTable, number>>;
  readonly notes: readonly string[];
}

/** Writes a run as a bundle, also one that goes on. Throws NOT_FOUND for a run that is unknown or in an archive, EXPORT_FAILED, and what opening a journal or a recording throws. */
export async function exportRun(options: RunExport): Promise<ExportResult> {
  const journal = JournalReader.open(options.settings.journal.path);
  try {
    const found = runNamed(journal, options.run);
    journal.refuseArchived(found.run_id);
    const quotes = playedQuotes(found, options.settings);
    const last = journal.lastOfRun(found.run_id) ?? found.started_at;
    const signals = await signalsOf(found, Date.parse(found.ended_at ?? last), options);
    const bundle = new Bundle(options.dir);
    try {
      const { missing: noEquity, currency } = fillBundle(bundle, { journal, found, quotes });
      bundle.quotes(quotes.columns);
      bundle.insert('signals', rowsOf(signals.emissions));
      const missing = { missing_quotes: quotes.missing, missing_signals: signals.missing, missing_equity: noEquity };
      bundle.insert('about', aboutRows({ ...aboutRun(found), currency, ...missing }));
      const notes = Object.entries(missing).filter(([, why]) => why !== '');
      return { rows: bundle.finish(), notes: notes.map(([name, why]) => `${name.replace('missing_', 'no ')}: ${why}`) };
    } catch (error) {
      bundle.abandon();
      throw error;
    }
  } finally {
    journal.close();
  }
}

/** Facts under `about`, of which each bundle has the first two. */
export const aboutRows = (facts: Readonly<Partial<Record<AboutName, string>>>) =>
  Object.entries({ bundle: String(BUNDLE_VERSION), kairos: VERSION, ...facts }).map(([name, value]) => ({ name, value }));

const aboutRun = ({ run_id, mode, started_at, ended_at, config_hash, config_json }: RunRow) => ({
  run: run_id,
  mode,
  started_at,
  ended_at: ended_at ?? '',
  config_hash,
  config: config_json,
});

/** The quotes that a run saw, and what is missing of them. */
interface Quotes {
  readonly columns: readonly QuoteColumns[];
  readonly modelled: readonly PriceColumns[];
  readonly missing: string;
}

function playedQuotes(found: RunRow, settings: RecordPaths): Quotes {
  const played = playedFrom(settings.journal.path, found.run_id);
  if (played !== null) {
    const { columns, modelled, headlines } = quotesOf(played);
    return { columns, modelled, missing: headlines.find(({ code }) => code === 'DATA_CHANGED')?.text ?? '' };
  }
  const columns = recordedQuotes(recordingOf(found, settings), () => {});
  return { columns, modelled: [], missing: columns.length === 0 ? 'the run has no recording' : '' };
}

interface Signals {
  readonly emissions: readonly Emission[];
  readonly missing: string;
}

/** What strategies emitted: a recording is played again for it, up to the run's end. */
async function signalsOf(found: RunRow, upTo: Millis, { settings, folders, emissions }: RunExport): Promise<Signals> {
  if (emissions) return { emissions, missing: '' };
  const path = recordingOf(found, settings);
  if (!isRecorded(path)) return { emissions: [], missing: 'without a recording only `kairos export backtest` has them' };
  const heard: Emission[] = [];
  try {
    await replayRun({ path, upTo, folders, onEmission: (emission) => heard.push(emission) });
    return { emissions: heard, missing: '' };
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return { emissions: [], missing: error.message };
  }
}

function* rowsOf(emissions: readonly Emission[]): Generator<BundleRow<'signals'>> {
  for (const emission of emissions) yield* signalRows(emission);
}

/** Fills the tables that follow from the journal, at one instant. Returns the currency of its values, and why there is no equity. */
function fillBundle(
  bundle: Bundle,
  { journal, found, quotes }: { journal: JournalReader; found: RunRow; quotes: Quotes },
): { readonly currency: string; readonly missing: string } {
  const { run_id, config_json } = found;
  const { columns, modelled } = quotes;
  const { orders, money, tags, upTo } = journal.snapshot(() => ({
    orders: journal.orders({ limit: -1, run: run_id }).toReversed(),
    money: moneyOf(journal, found, {
      last: journal.lastOfRun(run_id),
      booked: { fills: journal.fills(), ledger: [...journal.ledger()] },
    }),
    tags: journal.tags(),
    upTo: journal.end()?.seq ?? 0,
  }));
  bundle.decisions(journal.path, run_id, upTo);
  // A rotation may have moved them meanwhile.
  journal.refuseArchived(run_id);
  bundle.insert('orders', orderRows(orders, columns));
  bundle.insert('fills', money.fills.map(fillRow));
  bundle.insert('capital', money.ledger.filter(isFlow).map(capitalRow));
  bundle.insert(
    'parameters',
    configured(run_id, config_json).strategies.flatMap((one) => parameterRows(one)),
  );
  const { currency } = reportCurrency(money, columns);
  const whyOf = new Map(orders.map(({ order_id, why }) => [order_id, why ?? '-']));
  const { trades } = tripsOfRun({ ...money, tags });
  const traded = new Map([...money.earlier.fills, ...money.fills].map(({ product, fill }) => [product, fill]));
  const trips = reportedTrades({ trades, columns, modelled, currency, whyOf }).map((trade) => tripRow(trade, traded.get(trade.product)));
  bundle.insert('round_trips', trips);
  const equity = runEquity(money, columns, { currency, isInMoney: true, modelled });
  bundle.insert('equity', equityRows(equity));
  return { currency, missing: typeof equity === 'string' ? equity : '' };
}
