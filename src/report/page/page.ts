import { readFileSync } from 'node:fs';
import { isoTime } from '#domain/names.ts';
import { STRETCHES } from '#report/equity/course.ts';
import type { ChartPoint } from '#report/equity/thinned.ts';
import { durationText } from '#report/figures.ts';
import { isFailed } from '#report/headline.ts';
import type { RunReport } from '#report/report.ts';
import { escaped, part, scriptData, table } from './html.ts';
import { costBar, fallTable, figureCards, groupTables, monthTable, openTable, refusalTable, tiles, trialTable } from './tables.ts';

/** Trades that the page's table holds; the newest. */
const MAX_TRADES = 5_000;

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Nothing is fetched: a page that tried would be stopped by its reader's own browser. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/**
 * A report as one HTML file that needs nothing else: no network, no other file. Series are thinned to what a screen can
 * show, and the page says so.
 */
export function reportPage(report: RunReport): string {
  const { run } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${escaped(`${run.run} - Kairos report`)}</title>
<style>
${asset('./page.css')}</style>
</head>
<body>
${header(report)}
<main>
${tiles(report)}
${charts(report)}${part('trials', 'Trials, the best first', trialTable(report))}${part('months', 'Months', monthTable(report))}${part('costs', 'Costs', costBar(report))}${latency(report)}${part(
  'groups',
  'What earned and what cost',
  groupTables(report),
)}${part('open', 'Still open', openTable(report))}${part('refusals', 'Refused and failed', refusalTable(report))}${part(
  'falls',
  'Deepest equity drawdowns',
  fallTable(report),
)}${trades(report)}${part('figures', 'All figures', figureCards(report.sections, report.currency))}${part('conventions', 'Conventions', conventions(report))}</main>
<script type="application/json" id="data">${scriptData(pageData(report))}</script>
<script>
${asset('./page.js')}</script>
</body>
</html>
`;
}

function header({ run, headlines, verdict, halts }: RunReport): string {
  const [first, ...rest] = headlines;
  const lines = rest.map(({ level, text }) => `<p class="${level}">${escaped(text)}</p>`);
  const isBad = halts.length > 0 || isFailed(headlines);
  const span = `${isoTime(run.startedAt)} to ${isoTime(run.endedAt)}, ${durationText(run.endedAt - run.startedAt)}`;
  const traded = run.strategies
    .filter(({ enabled }) => enabled)
    .map(({ id, use, product }) => `${id}: ${use} on ${product}`)
    .join('; ');
  return `<header>
<div class="top"><h1>${escaped(run.run)}</h1><button id="theme" type="button" aria-label="light or dark">light or dark</button></div>
<p class="first${isBad ? ' stopped' : ''}">${escaped(first?.text ?? '')}</p>
${lines.join('\n')}
<p>${escaped(verdict.text)}</p>
<p class="muted">${escaped(span)}<br>${escaped(traded)}<br>Kairos ${escaped(run.version)}, configuration ${escaped(run.configHash.slice(0, 12))}</p>
</header>`;
}

function charts(report: RunReport): string {
  const { equity, prices, currency } = report;
  const first =
    typeof equity === 'string'
      ? part('equity', 'Equity', `<p class="none">n/a: ${escaped(equity)}</p>`)
      : part(
          'equity',
          'Equity and its drawdown',
          `<figure class="chart" data-chart="equity"><figcaption>value of the first capital, ${escaped(currency)}, deposits and withdrawals taken out</figcaption></figure>
<figure class="chart small" data-chart="falls"><figcaption>below the highest so far</figcaption></figure>`,
        );
  const figures = prices.map(
    ({ product, lane, quotes, marks, marksLeftOut }, n) =>
      `<figure class="chart" data-chart="price" data-index="${n}"><figcaption>${escaped(product)}: middle of ${quotes} quotes of ${escaped(lane)}, ${marks.length} fills marked${marksLeftOut > 0 ? `, ${marksLeftOut} more left out` : ''}</figcaption></figure>`,
  );
  const note = `<p class="muted">Series are thinned to ${STRETCHES} stretches of time; each shows its lowest, highest and last value. Arrow keys move along a chart.</p>`;
  return `${first}${part('prices', 'Prices and fills', figures.join('\n'))}${typeof equity === 'string' && prices.length === 0 ? '' : note}`;
}

function latency({ latencies }: RunReport): string {
  if (latencies.length === 0) return '';
  return part(
    'latency',
    'Profit against latency',
    '<figure class="chart small" data-chart="latency"><figcaption>net profit of the same run, had orders taken so long</figcaption></figure>',
  );
}

function trades({ trades: all, currency }: RunReport): string {
  if (all.length === 0) return '';
  const left = all.length > MAX_TRADES ? `; the newest ${MAX_TRADES} of ${all.length}` : '';
  const columns = [
    'closed',
    'strategy',
    'product',
    'side',
    'size',
    'entry',
    'exit',
    'held',
    `fees ${currency}`,
    `profit ${currency}`,
    'return',
    'exit reason',
    'orders',
  ];
  const head = columns.map(
    (title, n) =>
      `<th scope="col" aria-sort="none"${n >= 4 && n <= 10 ? ' class="n"' : ''}><button type="button">${escaped(title)}</button></th>`,
  );
  return part(
    'trades',
    'Trades',
    `<p><label>filter <input id="filter" type="search" placeholder="product, strategy, side, reason"></label> <span id="shown" aria-live="polite"></span>${escaped(left)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="trades"><table id="trade-table"><thead><tr>${head.join('')}</tr></thead><tbody></tbody></table></div><button id="more" type="button" hidden>show more</button>`,
  );
}

const conventions = ({ conventions: rules }: RunReport): string =>
  table(
    [{ title: 'about' }, { title: 'rule' }],
    rules.map(({ about, rule }) => [about, rule]),
  );

/** Everything that the page's script draws, with as many digits as can be seen. */
function pageData(report: RunReport): unknown {
  const { equity, buyAndHold, coinFlips, prices, trades, latencies, currency } = report;
  const known = typeof equity === 'string' ? undefined : equity;
  return {
    currency,
    from: report.run.startedAt,
    to: report.run.endedAt,
    equity: known && series(known.chart),
    falls: known && series(known.fallChart),
    hold: typeof buyAndHold === 'string' ? null : series(buyAndHold.chart),
    coins:
      known && typeof coinFlips !== 'string'
        ? [coinFlips.p5, coinFlips.p50, coinFlips.p95].map((profit) => digits(known.capital + profit))
        : null,
    capital: known && digits(known.capital),
    prices: prices.map((price) => ({
      product: price.product,
      points: series(price.points),
      marks: price.marks.map(({ at, side, price: paid, size, order, strategy }) => [
        at,
        side === 'buy' ? 1 : 0,
        paid,
        size,
        order,
        strategy,
      ]),
    })),
    latencies: latencies.map(({ latencyMs, netProfit }) => [latencyMs, digits(netProfit)]),
    trades: trades
      .slice(-MAX_TRADES)
      .map((trade) => [
        trade.closedAt,
        trade.strategy,
        trade.product,
        trade.side,
        digits(trade.size),
        trade.entryPrice,
        trade.exitPrice,
        trade.closedAt - trade.openedAt,
        digits(trade.fees),
        digits(trade.profit),
        trade.return === null ? null : digits(trade.return),
        trade.exitReason,
        `${trade.entryOrder} ${trade.exitOrder}`,
      ]),
  };
}

/** Points at equal distances: the first time, the distance, and three values of each. */
function series(points: readonly ChartPoint[]): unknown {
  const [first, second] = points;
  const value = (take: (point: ChartPoint) => number): readonly number[] => points.map((point) => digits(take(point)));
  const last = points.at(-1);
  const step = first && last && second ? (last.at - first.at) / (points.length - 1) : 0;
  return {
    t0: first?.at ?? 0,
    dt: step,
    low: value(({ low }) => low),
    high: value(({ high }) => high),
    last: value((point) => point.last),
  };
}

/** Nine digits: more than a screen has points. */
const digits = (value: number): number => Number(value.toPrecision(9));
