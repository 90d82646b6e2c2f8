import { fillsBetween, ordersOf } from '#adapters/journal/booked.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { durationText } from '#domain/duration-text.ts';
import { KairosError } from '#domain/errors.ts';
import { amountText } from '#domain/money-text.ts';
import { type Fill, fillOf } from '#domain/order.ts';
import { statesText } from '#domain/order-states.ts';
import { counted } from '#report/summary.ts';
import { PastTrades } from '../page/past-trades.ts';

/** The summary of a run in lines for the person who stopped it; none if its journal cannot be read. */
export function runSummary(path: string, run: string): readonly string[] {
  try {
    const journal = JournalReader.open(path);
    try {
      return linesOf(journal, run);
    } finally {
      journal.close();
    }
  } catch (error) {
    // The run is in the journal: `kairos report` shows the rest.
    if (!(error instanceof KairosError)) throw error;
    return [];
  }
}

function linesOf(journal: JournalReader, run: string): readonly string[] {
  const row = journal.run(run);
  if (!row) return [];
  const from = Date.parse(row.started_at);
  const states = new Map(journal.named((database) => ordersOf(database, run)).map(({ state, count }) => [state, count]));
  const orders = [...states.values()].reduce((sum, count) => sum + count, 0);
  const past = new PastTrades(journal).readOn();
  const sums = past.found.sumsBetween({ from, to: Number.MAX_SAFE_INTEGER });
  const made = sums.map(
    ({ currency, profit, fees, trades, won, inherited }) =>
      `${amountText(profit, currency)} by ${counted(trades, 'round trip')}, ${won} won, after ${amountText(fees, currency)} of fees${inherited === 0 ? '' : inheritedText(inherited)}`,
  );
  const fills = journal.named((database) => fillsBetween(database, { from, to: Number.MAX_SAFE_INTEGER }));
  const paidIn = feesOf(fills.map(({ fill }) => fillOf(fill)));
  const openIn = past.openFees(from);
  past.close();
  const [paid, open] = [feesText(paidIn), feesText(openIn)];
  // What round trips cost is what this run paid for them, and what earlier runs paid when they opened.
  const earlierIn = new Map(
    sums.map(({ currency, fees }): [string, Decimal] => {
      const own = (paidIn.get(currency) ?? ZERO).minus(openIn.get(currency) ?? ZERO);
      return [currency, decimalOf(fees).minus(own)];
    }),
  );
  // Round trips have their fees in quote currency: of those in base currency nobody can say which run paid them.
  const isInQuoteCcy = fills.every(({ fill: { feeCcy, quoteCcy } }) => feeCcy === quoteCcy);
  const earlier = isInQuoteCcy ? feesText(new Map([...earlierIn].filter(([, fees]) => fees.gt(MIN_TOLD)))) : '';
  const ofOpen = open === '' ? '' : `, of it ${open} for positions that are still open`;
  const before = earlier === '' ? '' : `; ${earlier} of the fees of these round trips were paid in earlier runs, when they were opened`;
  const ended = Date.parse(row.ended_at ?? row.started_at);
  return [
    `run ${run} ended after ${durationText(ended - from)}: ${counted(orders, 'order')}${orders > 0 ? ` (${statesText(states)})` : ''}`,
    `  made      ${made.join('; ') || 'nothing, since no position was closed'}`,
    ...(paid === '' ? [] : [`  fees paid ${paid} in this run${ofOpen}${before}`]),
    `  more      npx kairos trades, npx kairos report ${run}`,
  ];
}

/** Why the report of the run has another net profit. */
const inheritedText = (count: number): string =>
  ` (${count} opened in an earlier run, with the whole profit since then; the net profit of the report begins with this run)`;

/** Fees below this are rounding. */
const MIN_TOLD = 1e-6;

function feesOf(fills: readonly Fill[]): ReadonlyMap<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { fee, feeCcy } of fills) sums.set(feeCcy, (sums.get(feeCcy) ?? ZERO).plus(fee));
  return sums;
}

/** Fees by currency, as in `1.25 usd`; empty for none. */
function feesText(sums: ReadonlyMap<string, Decimal>): string {
  const paid = [...sums].filter(([, sum]) => !sum.isZero());
  return paid.map(([currency, sum]) => amountText(sum.toNumber(), currency)).join(', ');
}
