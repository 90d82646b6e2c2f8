import { durationText } from '#domain/duration-text.ts';
import { amountText, moneyText, priceText, shareText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { meaningOf } from '#domain/reasons.ts';
import { type Section, valueText } from './figures.ts';
import { isCaveat } from './headline.ts';
import { type MissingFigures, saidAndUnsaid } from './missing-figures.ts';
import type { RunReport } from './report.ts';
import { caveatTexts, toldTogether } from './told-together.ts';
import type { TradeGroup } from './trades.ts';

type Block =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly title: string; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Rows of a table that a terminal shows; all of them are in the JSON and, for trades, in the page. */
const MAX_ROWS = 15;

/** A report for people: headlines, figures by section, tables, and their rules. */
export function reportText(report: RunReport): readonly Block[] {
  const { run, headlines, sections, verdict, currency, conventions } = report;
  const { said, unsaid } = saidAndUnsaid(sections);
  const state = run.endState ?? (run.isRunning ? 'still running: figures so far' : 'crashed');
  const title = `run ${run.run}, ${isoTime(run.startedAt)} to ${isoTime(run.endedAt)} (${durationText(report.tradedMs)}), ${state}`;
  return [
    { kind: 'lines', lines: [report.summary, ...toldTogether(headlines.filter((line) => !isCaveat(line))), title, verdict.text] },
    { kind: 'lines', lines: ['', ...report.played] },
    ...said.map((section) => ({ kind: 'lines' as const, lines: ['', section.title, ...sectionLines(section, currency)] })),
    ...unsaidBlock(unsaid, currency),
    ...tables(report),
    { kind: 'lines', lines: ['', 'Caveats', ...caveatTexts(headlines.filter(isCaveat)).map((text) => `  ${text}`)] },
    { kind: 'lines', lines: ['', 'Conventions', ...conventions.map(({ about, rule }) => `  ${about.padEnd(16)} ${rule}`)] },
  ];
}

const MAX_LABEL = 52;

/** Figures one a line, which end under each other. */
function sectionLines({ figures }: Section, currency: string): readonly string[] {
  const rows = figures.map((figure) => ({ ...figure, text: valueText(figure, currency) }));
  const room = Math.min(MAX_LABEL, Math.max(...rows.map(({ label }) => label.length)));
  const widest = Math.max(0, ...rows.map(({ unit, text }) => (unit === 'time' ? 0 : text.length)));
  return rows.map(({ label, note, text }) => {
    const about = note === undefined ? '' : `  (${note})`;
    return `  ${label.padEnd(room)}  ${text.padStart(widest)}${about}`;
  });
}

/** Figures that say nothing, together where that has the same reason. */
function unsaidBlock(unsaid: readonly MissingFigures[], currency: string): readonly Block[] {
  if (unsaid.length === 0) return [];
  const lines = unsaid.flatMap(({ why, figures }) => [
    `  n/a, ${why}:`,
    `      ${figures.map((figure) => (figure.value === null ? figure.label : `${figure.label} (${valueText(figure, currency)})`)).join('; ')}`,
  ]);
  return [{ kind: 'lines', lines: ['', 'What is not known', ...lines] }];
}

function tables({ groups, open, refusals, months, latencies, currency }: RunReport): readonly Block[] {
  const blocks: Block[] = [];
  const add = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): void => {
    if (rows.length === 0) return;
    const more = rows.length > MAX_ROWS ? `, the first ${MAX_ROWS} of ${rows.length}` : '';
    blocks.push({ kind: 'table', title: `${title}${more}`, head, rows: rows.slice(0, MAX_ROWS) });
  };
  const addGroups = (title: string, what: string, rows: readonly TradeGroup[]): void => add(title, groupHead(what, rows), groupRows(rows));
  add(
    'Months',
    ['month', 'return', 'days'],
    months.map((month) => [month.month, percentText(month.return), String(month.days)]),
  );
  addGroups('By strategy', 'strategy', groups.byStrategy);
  if (groups.byProduct.length > 1) addGroups('By product', 'product', groups.byProduct);
  if (groups.byTag.some(({ group }) => group !== '-')) addGroups('By tag', 'tag', groups.byTag);
  addGroups('Exit reasons', 'exit', groups.byExit);
  add(
    'Still open',
    ['strategy', 'product', 'size', 'entry', 'closes at', 'unrealised'],
    open.map((one) => [
      one.strategy,
      one.product,
      String(one.size),
      one.entry === null ? '-' : priceText(one.entry),
      one.price === null ? 'n/a' : priceText(one.price),
      one.unrealised === null ? 'n/a' : amountText(one.unrealised, one.quoteCcy),
    ]),
  );
  add(
    'Refused and failed',
    ['kind', 'reason', 'count', 'meaning'],
    refusals.map(({ kind, reason, count }) => [kind, reason, String(count), meaningOf(reason) ?? '']),
  );
  add(
    'Profit against latency',
    ['latency', `profit ${currency}`, 'trades'],
    latencies.map((one) => [`${one.latencyMs} ms`, moneyText(one.netProfit, currency), String(one.trades)]),
  );
  return blocks;
}

/** The head of a table of round trips by kind: with the currency of money where all of it is in one. */
export function groupHead(what: string, rows: readonly TradeGroup[]): readonly string[] {
  const [only, ...others] = new Set(rows.map(({ currency }) => currency));
  const into = only === undefined || others.length > 0 ? '' : ` ${only}`;
  return [what, 'trades', 'won', `fees${into}`, `profit${into}`, 'average'];
}

/** The rows of such a table: money with its currency where there are several. */
export function groupRows(rows: readonly TradeGroup[]): readonly (readonly string[])[] {
  const isOne = new Set(rows.map(({ currency }) => currency)).size < 2;
  const money = (amount: number, currency: string): string => (isOne ? moneyText(amount, currency) : amountText(amount, currency));
  return rows.map((row) => [
    row.group,
    String(row.trades),
    String(row.won),
    money(row.fees, row.currency),
    money(row.profit, row.currency),
    percentText(row.averageReturn),
  ]);
}

/** A share in percent; `-` where there is none. */
export const percentText = (share: number | null): string => (share === null ? '-' : shareText(share));
