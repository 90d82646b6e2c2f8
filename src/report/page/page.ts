import { durationText } from '#domain/duration-text.ts';
import { amountText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { STRETCHES } from '#report/equity/course.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { isCaveat, isFailed } from '#report/headline.ts';
import { saidAndUnsaid } from '#report/missing-figures.ts';
import { profitHistogram } from '#report/profit-histogram.ts';
import type { RunReport } from '#report/report.ts';
import { toldTogether } from '#report/told-together.ts';
import { figureCards, tiles, unsaidFolds } from './figure-cards.ts';
import { framed, topLine } from './frame.ts';
import { escaped, folded, part, plainTimes, table } from './html.ts';
import { isBeside, judged, unjudged } from './judged.ts';
import { MAX_TRADES, pageData } from './report-data.ts';
import { searchParts } from './search-page.ts';
import { besideTable, costBar, fallTable, groupTables, monthTable, openTable, refusalTable, trialTable } from './tables.ts';

/** Amounts that are less apart are equal. */
const ROUNDING = 0.005;

/**
 * A report as one HTML file that needs nothing else: no network, no other file. Series are thinned to what a screen can
 * show, and the page says so.
 */
export function reportPage(report: RunReport): string {
  return framed({
    title: `${report.title}, ${timeSpan(report)} - Kairos report`,
    header: header(report),
    main: reportMain(report),
    data: pageData(report),
  });
}

/** All parts of a report below its header. */
function reportMain(report: RunReport): string {
  const { said, unsaid } = saidAndUnsaid(report.sections);
  const isUnranked = report.search?.first === null;
  return [
    searchParts(report.search),
    part('trials', `Trials, ${isUnranked ? 'none of which can be ranked' : 'the best first'}`, trialTable(report)),
    report.search ? `<h2 class="between">${isUnranked ? 'The first trial' : 'The trial that stands first'}</h2>` : '',
    tiles(report),
    growth(report),
    trades(report),
    priceCharts(report),
    part('beside', 'Beside holding and chance', besideTable(report)),
    part('open', 'Still open', openTable(report)),
    folded('months', 'Months', monthTable(report)),
    histogram(report),
    folded('groups', 'What earned and what cost', groupTables(report)),
    folded('costs', 'Costs', costBar(report)),
    latency(report),
    folded('refusals', 'Refused and failed', refusalTable(report)),
    folded('falls', 'Deepest equity drawdowns', fallTable(report)),
    folded('figures', 'All figures', figureCards(said, report.currency) + unsaidFolds(unsaid, report.currency)),
    folded('caveats', 'Caveats', caveats(report)),
    folded('conventions', 'Conventions of the calculation', conventions(report)),
    folded('provenance', 'Provenance', provenance(report)),
  ].join('');
}

const minute = (at: number): string => isoTime(at).slice(0, 16).replace('T', ' ');

function timeSpan({ run }: RunReport): string {
  const [from, to] = [minute(run.startedAt), minute(run.endedAt)];
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} UTC`;
}

function header(report: RunReport): string {
  const { headlines, verdict, halts, title, search } = report;
  const summary = search?.summary ?? report.summary;
  const first = ({ first: place }: NonNullable<typeof search>): string => (place === null ? 'first trial' : 'trial that stands first');
  const [fills, ...rest] = headlines.filter((line) => !isCaveat(line) && isBeside(line));
  const lines = rest
    .filter(({ code }) => code !== 'PLAYED')
    .map(({ level, text }) => `<p class="${level}">${escaped(plainTimes(text))}</p>`);
  const isBad = halts.length > 0 || isFailed(headlines);
  return `${topLine(title, `${timeSpan(report)}, ${durationText(report.tradedMs)}`)}
${parameters(report)}
<p class="summary${isBad ? ' bad' : ''}">${unjudged(summary, verdict.text)}</p>
${judged([summary, report.summary], verdict)}
${search ? `<p>The ${first(search)}: ${unjudged(report.summary, verdict.text)}</p>\n` : ''}<p class="muted">${escaped(fills?.text ?? '')}</p>
${lines.join('\n')}`;
}

/** Parameters that stand in sight; more are folded. */
const MAX_SIGNS = 70;

/** Each strategy with its parameters. */
function parameters({ played }: RunReport): string {
  const text = played.join('; ');
  if (text.length <= MAX_SIGNS) return `<p class="muted">${escaped(text)}</p>`;
  return `<details><summary>Parameters</summary><ul>${played.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul></details>`;
}

/** Which run it is, and on which quotes it was. */
function provenance({ run, headlines }: RunReport): string {
  const rows = [
    ['run', run.run],
    ['time', `${isoTime(run.startedAt)} to ${isoTime(run.endedAt)}`],
    ['Kairos', run.version],
    ['configuration', run.configHash],
    ...toldTogether(headlines.filter(({ code }) => code === 'PLAYED')).map((text) => ['quotes', text]),
  ];
  return table([{ title: 'what' }, { title: 'which' }], rows);
}

/** What was assumed, and should be known of the data. */
function caveats({ headlines }: RunReport): string {
  const lines = headlines.filter(isCaveat);
  return lines.length === 0
    ? ''
    : `<ul class="caveats">${toldTogether(lines)
        .map((text) => `<li>${escaped(text)}</li>`)
        .join('')}</ul>`;
}

function histogram({ trades: all }: RunReport): string {
  const [currency, ...others] = new Set(all.map((one) => one.currency));
  if (all.length < 2 || currency === undefined || others.length > 0) return '';
  const bins = profitHistogram(all.map(({ profit }) => profit));
  const beyond = [
    ...bins.filter(({ open }) => open === 'below').map(({ high }) => `the first bar holds all below ${high}`),
    ...bins.filter(({ open }) => open === 'above').map(({ low }) => `the last bar holds all from ${low}`),
  ];
  const caption = [`number of round trips by profit, ${escaped(currency)}, net of fees`, ...beyond].join('; ');
  return folded('histogram', 'Profits of trades', `<figure data-chart="histogram"><figcaption>${caption}</figcaption></figure>`);
}

/** The first that is seen: what the run made of its capital. */
function growth({ equity, currency }: RunReport): string {
  if (typeof equity === 'string') return part('equity', 'Equity', `<p class="none">n/a: ${escaped(equity)}</p>`);
  const caption = escaped(growthCaption(equity, currency));
  return part('equity', 'Growth and drawdown', `<figure data-chart="equity"><figcaption>${caption}</figcaption></figure>`);
}

function priceCharts({ prices }: RunReport): string {
  const figures = prices.map(
    ({ product, lane, quotes, marks, marksLeftOut }, n) =>
      `<figure data-chart="price" data-index="${n}"><figcaption>${escaped(product)}: middle of ${quotes} quotes of ${escaped(lane)}, ${marks.length} fills marked${marksLeftOut > 0 ? `; ${marksLeftOut} more are left out, the smaller of their side and moment; a trade chosen in the table shows its own` : ''}</figcaption></figure>`,
  );
  if (figures.length === 0) return '';
  const note = `<p class="muted">At most ${STRETCHES} stretches of time; each shows its lowest, highest and last value. A time without quotes is a narrow gap, however long it was. The lines of signals join what strategies named when they decided; between such values they are not known. Marks that touch are one; zoom in to see them apart.</p>`;
  return part('prices', 'Prices and fills', figures.join('\n') + note);
}

/** What the chart draws, and the two other amounts that a reader may take it for, where they differ. */
function growthCaption({ capital, netProfit, totalReturn, final }: Equity, currency: string): string {
  const grown = capital * (1 + totalReturn);
  const earned = capital + netProfit;
  const what = `growth of the initial capital, ${currency}: times 1 + total return so far (time-weighted)`;
  if ([earned, final].every((one) => Math.abs(one - grown) < ROUNDING)) return what;
  const [end, added, value] = [grown, earned, final].map((amount) => amountText(amount, currency));
  return `${what}. It ends at ${end}; initial capital and net profit come to ${added}, and the value at the end, with deposits, withdrawals and revaluation, is ${value}`;
}

function latency({ latencies }: RunReport): string {
  if (latencies.length === 0) return '';
  return folded(
    'latency',
    'Profit against latency',
    '<figure data-chart="latency"><figcaption>net profit of the same run if each order took this long</figcaption></figure>',
  );
}

function trades({ trades: all }: RunReport): string {
  if (all.length === 0) return '';
  const left = all.length > MAX_TRADES ? `; the newest ${MAX_TRADES} of ${all.length}` : '';
  return part('trades', 'Trades', `<div data-chart="trades" data-more="${escaped(left)}"></div>`);
}

const conventions = ({ conventions: rules }: RunReport): string =>
  table(
    [{ title: 'about' }, { title: 'rule' }],
    rules.map(({ about, rule }) => [about, rule]),
  );
