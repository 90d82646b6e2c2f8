import { durationText } from '#domain/duration-text.ts';
import { amountText, fixedText, grouped, priceText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { meaningOf } from '#domain/reasons.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { metricIn } from '#report/figures.ts';
import { isKnown } from '#report/metrics/metric.ts';
import type { RunReport } from '#report/report.ts';
import { capital } from '#report/summary.ts';
import { groupHead, groupRows, percentText } from '#report/text.ts';
import type { TradeGroup } from '#report/trades.ts';
import { escaped, table } from './html.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Years down, those months across that any of them has, each cell as deep as its return. */
export function monthTable({ months }: RunReport): string {
  if (months.length === 0) return '';
  const byMonth = new Map(months.map((one) => [one.month, one.return]));
  const most = months.reduce((size, one) => Math.max(size, Math.abs(one.return)), 0);
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const numbers = MONTHS.map((_, n) => String(n + 1).padStart(2, '0'));
  const columns = numbers.filter((number) => months.some(({ month }) => month.endsWith(`-${number}`)));
  const cell = (value: number | undefined): string => {
    if (value === undefined) return '<td class="n"></td>';
    const depth = most === 0 ? 0 : Math.min(60, Math.round((Math.abs(value) / most) * 60));
    return `<td class="n heat ${value < 0 ? 'down' : 'up'}" style="--depth:${depth}%">${escaped(percentText(value))}</td>`;
  };
  const rows = years.map((year) => {
    const own = columns.map((number) => byMonth.get(`${year}-${number}`));
    const total = own.reduce<number>((growth, value) => growth * (1 + (value ?? 0)), 1) - 1;
    return `<tr><th scope="row">${year}</th>${own.map(cell).join('')}${cell(total)}</tr>`;
  });
  const head = ['year', ...columns.map((number) => MONTHS[Number(number) - 1] ?? number), 'all']
    .map((title, n) => `<th scope="col"${n === 0 ? '' : ' class="n"'}>${title}</th>`)
    .join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="months"><table class="months"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** What trading cost, as parts of one bar. */
export function costBar({ sections, currency }: RunReport): string {
  const parts = (['spreadCost', 'feeCost', 'slippageCost'] as const).map((id) => ({
    id,
    money: metricIn(sections, id),
    bps: metricIn(sections, `${id}Bps`),
  }));
  const beyond = metricIn(sections, 'beyondCostBps');
  const names = { spreadCost: 'spread', feeCost: 'fees', slippageCost: 'slippage' };
  const sum = parts.reduce((total, { money }) => total + (isKnown(money) ? Math.max(0, money) : 0), 0);
  if (sum === 0) return '';
  const bars = parts.map(
    ({ id, money }) => `<i class="${id}" style="width:${isKnown(money) ? ((Math.max(0, money) / sum) * 100).toFixed(2) : 0}%"></i>`,
  );
  const words = parts.map(({ id, money, bps }) => {
    const text = isKnown(money) ? amountText(money, currency) : 'n/a';
    const modelled =
      id === 'spreadCost' && isKnown(beyond) && beyond > 0
        ? `, ${fixedText(beyond, 2)} of them modelled for amounts above the recorded ones`
        : '';
    return `<li><i class="${id}"></i>${names[id]} <b>${escaped(text)}</b>${isKnown(bps) ? ` ${fixedText(bps, 2)} bps${modelled}` : ''}</li>`;
  });
  return `<div class="bar" role="img" aria-label="shares of the costs">${bars.join('')}</div><ul class="legend">${words.join('')}</ul>`;
}

/** Tables of profit by day, strategy and tag, as HTML. */
export function groupTables({ groups }: RunReport): string {
  const one = (title: string, of: readonly TradeGroup[]): string => {
    if (of.length === 0) return '';
    const columns = groupHead(title, of).map((name, n) => ({ title: name, numeric: n > 0 }));
    const byCurrency = Map.groupBy(of, ({ currency }) => currency);
    return table(columns, groupRows([...byCurrency.values()].flatMap(heaviest)));
  };
  const tagged = groups.byTag.some(({ group }) => group !== '-');
  return [
    one('exit reason', groups.byExit),
    one('strategy', groups.byStrategy),
    one('product', groups.byProduct),
    tagged ? one('entry tag', groups.byTag) : '',
  ].join('');
}

/** Groups that a table of them shows. */
const MAX_GROUPS = 50;

/** Of one currency: the groups that moved most money either way, in their order, and the others in one row, so that columns add up. */
function heaviest(of: readonly TradeGroup[]): readonly TradeGroup[] {
  if (of.length <= MAX_GROUPS) return of;
  const bySize = of.toSorted((a, b) => Math.abs(b.profit) - Math.abs(a.profit));
  const kept = new Set(bySize.slice(0, MAX_GROUPS - 1));
  const others = bySize.slice(MAX_GROUPS - 1);
  const sum = (figure: (one: TradeGroup) => number): number => others.reduce((total, one) => total + figure(one), 0);
  const trades = sum((one) => one.trades);
  const rest = {
    group: `${others.length} others`,
    currency: of[0]?.currency ?? '',
    trades,
    won: sum((one) => one.won),
    fees: sum((one) => one.fees),
    profit: sum((one) => one.profit),
    averageReturn: others.some((one) => one.averageReturn === null) ? null : sum((one) => (one.averageReturn ?? 0) * one.trades) / trades,
  };
  return [...of.filter((one) => kept.has(one)), rest];
}

/** The table of open positions, as HTML; empty where none is open. */
export function openTable({ open }: RunReport): string {
  if (open.length === 0) return '';
  const price = (value: number | null): string => (value === null ? 'n/a' : grouped(priceText(value)));
  const columns = ['strategy', 'product', 'size', 'entry', 'since', 'closes at', 'unrealised'].map((title, n) => ({
    title,
    numeric: n > 1,
  }));
  return table(
    columns,
    open.map((one) => [
      one.strategy,
      one.product,
      `${one.size} ${one.baseCcy}`,
      price(one.entry),
      one.openedAt === null ? '-' : isoTime(one.openedAt),
      price(one.price),
      one.unrealised === null ? 'n/a' : amountText(one.unrealised, one.quoteCcy),
    ]),
  );
}

/** Rows of a table of trials that a page shows. */
const MAX_TRIALS = 500;

/** The table of a sweep's trials, as HTML; empty for any other run. */
export function trialTable({ trials }: Pick<RunReport, 'trials'>): string {
  if (trials === null) return '';
  const last = trials.head.length - 1;
  const columns = trials.head.map((title, n) => ({ title, numeric: n < last }));
  const left = trials.rows.length - MAX_TRIALS;
  const more = left > 0 ? `<p class="muted">and ${left} more; --out FILE.csv has all</p>` : '';
  return `<p>${escaped(capital(trials.above))}.</p>${table(columns, trials.rows.slice(0, MAX_TRIALS))}${more}<p class="muted">${escaped(trials.below)}</p>`;
}

/** The table of refused intents by reason, as HTML; empty where none was refused. */
export function refusalTable({ refusals }: RunReport): string {
  if (refusals.length === 0) return '';
  const columns = [{ title: 'kind' }, { title: 'reason' }, { title: 'count', numeric: true }, { title: 'meaning' }];
  return table(
    columns,
    refusals.slice(0, 50).map(({ kind, reason, count }) => [kind, reason, String(count), meaningOf(reason) ?? '']),
  );
}

/** The table of the deepest drawdowns, as HTML; empty where there was none. */
export function fallTable({ equity }: RunReport): string {
  if (typeof equity === 'string' || equity.falls.length === 0) return '';
  const columns = ['depth', 'began', 'deepest', 'recovered', 'length'].map((title, n) => ({ title, numeric: n === 0 || n === 4 }));
  return table(
    columns,
    equity.falls.map(({ depth, from, troughAt, recoveredAt }) => [
      percentText(depth),
      isoTime(from),
      isoTime(troughAt),
      recoveredAt === null ? 'not yet' : isoTime(recoveredAt),
      durationText((recoveredAt ?? equity.to) - from),
    ]),
  );
}

/** The run beside what holding its products and what random entries would have made, as HTML; empty where nothing can be compared. */
export function besideTable({ equity, buyAndHold, heldAtSize, coinFlips, sections, currency }: RunReport): string {
  if (typeof equity === 'string' || (typeof buyAndHold === 'string' && typeof coinFlips === 'string')) return '';
  const row = (name: string, of: Equity): readonly string[] => [
    name,
    percentText(of.totalReturn),
    amountText(of.netProfit, currency),
    percentText(of.falls[0]?.depth ?? 0),
  ];
  const share = (profit: number): string => (equity.capital > 0 ? percentText(profit / equity.capital) : '-');
  const coin = (name: string, profit: number): readonly string[] => [name, share(profit), amountText(profit, currency), '-'];
  const rows = [
    row('the run', equity),
    ...(typeof heldAtSize === 'string' ? [] : [row('as much as its largest position, bought and held', heldAtSize)]),
    ...(typeof buyAndHold === 'string' ? [] : [row('all capital, bought and held', buyAndHold)]),
    ...(typeof coinFlips === 'string'
      ? []
      : [
          coin('random entries, 5th percentile', coinFlips.p5),
          coin('random entries, median', coinFlips.p50),
          coin('random entries, 95th percentile', coinFlips.p95),
        ]),
  ];
  const beaten = metricIn(sections, 'coinsBeaten');
  const said = isKnown(beaten)
    ? `<p>${percentText(beaten)} of the random entries made less than the run. They traded as often, with its average size, at executable prices with fees.</p>`
    : '';
  const missing = [
    typeof buyAndHold === 'string' ? `holding: ${buyAndHold}` : '',
    typeof coinFlips === 'string' ? `random entries: ${coinFlips}` : '',
  ];
  const why = missing.filter((one) => one !== '').map((one) => `<p class="none">n/a, ${escaped(one)}</p>`);
  const columns = ['', 'return', 'profit', 'drawdown'].map((title, n) => ({ title, numeric: n > 0 }));
  return table(columns, rows) + said + why.join('');
}
