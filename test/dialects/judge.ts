import { Decimal } from 'decimal.js';
import { ledgerChanges, venueChanges } from '../support/books.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { CAPS, DEPOSIT, ENOUGH_EXECUTIONS, type ExecutionRow, type OrderRow, type Seen } from './world.ts';

/** What a run was worth. The venue's own books are the judge of it. */
export interface Verdict {
  /** What must never be, whatever the service says. */
  readonly unsafe: readonly string[];
  /** Why it is not held to have traded; empty where it has, both ways, with books equal to the last of eight decimals. */
  readonly short: readonly string[];
  /** What it said that a person must read: warnings and errors, and why it did not start. */
  readonly lines: readonly string[];
}

/** Decimals to which the venue rounds what it books. */
const PLACES = 8;

export function judge(seen: Seen): Verdict {
  const lines = seen.told.filter(({ level }) => level !== 'info').map(({ text }) => text);
  if (seen.startFault !== null) lines.push(seen.startFault);
  const open = seen.orders.filter(({ state }) => OPEN.has(state));
  const unequal = moneyFaults(seen, open);
  // What the fee's currency is was called into doubt: books that are apart by no more than fees are not taken for right by anybody.
  const isDoubted = lines.some((line) => /service\.feeIn/.test(line));
  const money = unequal.filter((one) => !(isDoubted && one.byFees)).map(({ text }) => text);
  return {
    unsafe: [...orderFaults(seen), ...capFaults(seen), ...money, ...journalFaults(seen)],
    short: [
      ...(seen.startFault === null ? [] : [NOT_STARTED]),
      ...(seen.executions.length >= ENOUGH_EXECUTIONS ? [] : [`the service executed ${seen.executions.length} orders`]),
      ...open.map(({ order_id, state }) => `order ${order_id} is ${state}`),
      ...(isDoubted ? unequal.flatMap(({ text, byFees }) => (byFees ? [text] : [])) : []),
    ],
    lines,
  };
}

export const NOT_STARTED = 'it did not start';

const OPEN: ReadonlySet<string> = new Set(['intent', 'sent', 'unknown']);
const NEVER_LEFT: ReadonlySet<string> = new Set(['expired', 'not_sent']);

/** No order twice, none that is not here, none booked as executed or as not executed against the venue, none with other figures. */
function orderFaults({ orders, executions, refusals }: Seen): string[] {
  const faults: string[] = [];
  const byQuote = new Map(orders.map((order) => [order.quote_id.toLowerCase(), order]));
  const executed = new Map(executions.map((execution) => [execution.quote_id, execution]));
  const arrived = [...executions.map(({ quote_id }) => quote_id), ...refusals.flatMap(({ quote_id }) => quote_id ?? [])];
  for (const quoteId of new Set(arrived)) {
    const times = arrived.filter((one) => one === quoteId).length;
    if (times > 1) faults.push(`quote ${quoteId} was sent ${times} times`);
    const order = byQuote.get(quoteId);
    if (!order) faults.push(`an order on quote ${quoteId} reached the service, which is not here`);
    else if (NEVER_LEFT.has(order.state)) faults.push(`order ${order.order_id} reached the service, and is ${order.state} here`);
  }
  for (const order of orders) {
    const execution = executed.get(order.quote_id.toLowerCase());
    if (execution && order.state === 'rejected') faults.push(`order ${order.order_id} was executed, and is rejected here`);
    if (order.state !== 'accepted') continue;
    if (!execution) faults.push(`order ${order.order_id} was not executed, and is booked as executed`);
    else faults.push(...figureFaults(order, execution));
  }
  return faults;
}

function figureFaults(order: OrderRow, execution: ExecutionRow): string[] {
  return (['side', 'price', 'size', 'value'] as const).flatMap((name) => {
    const [here, there] = [order[name], execution[name]];
    const same = name === 'side' ? here === there : rounded(here).eq(rounded(there));
    return same ? [] : [`order ${order.order_id} is booked with ${name} ${here}, and was executed with ${there}`];
  });
}

/** No buy beyond its cap, no holding beyond its cap, no sale of more than was bought. */
function capFaults({ executions }: Seen): string[] {
  const faults: string[] = [];
  let held = new Decimal(0);
  for (const { side, size, value, price, quote_id } of executions) {
    held = side === 'buy' ? held.plus(size) : held.minus(size);
    if (side === 'buy' && new Decimal(value).gt(CAPS.maxOrderValue)) faults.push(`quote ${quote_id} bought for ${value}`);
    if (held.times(price).gt(CAPS.maxPositionValue)) faults.push(`quote ${quote_id} made the holding ${held}`);
    if (rounded(held).isNegative() && !rounded(held).isZero()) faults.push(`quote ${quote_id} sold ${size}, more than was bought`);
  }
  return faults;
}

/**
 * Both books agree in every currency, to the last of the decimals, so a position that is flat here is flat there; with orders of unknown
 * outcome what the service holds lies between the ends that they allow for, and a deposit that was told not to be booked is not here. No currency has two books.
 */
function moneyFaults({ journal, venueDatabase, executions, told }: Seen, open: readonly OrderRow[]): MoneyFault[] {
  const changes = ledgerChanges(journal);
  const isDepositTold = told.some(({ text }) => /^notification .*nothing was booked/.test(text));
  const here = lowerCase(changes);
  const there = lowerCase(venueChanges(venueDatabase));
  const twice = Object.keys(changes).filter((name) => name !== name.toLowerCase() && Object.hasOwn(changes, name.toLowerCase()));
  const slack = open.reduce((sum, { value }) => sum.plus(new Decimal(value).times(OPEN_VALUE_SHARE)), new Decimal(0));
  const sizes = open.reduce((sum, { size }) => sum.plus(size), new Decimal(0));
  const unequal = [...new Set([...here.keys(), ...there.keys()])].flatMap((currency) => {
    const [ledger, venue] = [here.get(currency) ?? new Decimal(0), there.get(currency) ?? new Decimal(0)];
    const unbooked = currency === DEPOSIT.currency && isDepositTold ? DEPOSIT.amount : 0;
    const apart = rounded(ledger).plus(unbooked).minus(rounded(venue)).abs();
    if (apart.lte(currency === 'usd' ? slack : sizes)) return [];
    const traded = executions.reduce((sum, { size, value }) => sum.plus(currency === 'usd' ? value : size), new Decimal(0));
    return [{ text: `the ledger says ${ledger} ${currency}, the service ${venue}`, byFees: apart.lte(traded.times(FEE_SHARE)) }];
  });
  return [...twice.map((name) => ({ text: `the ledger has ${name} and ${name.toLowerCase()}`, byFees: false })), ...unequal];
}

interface MoneyFault {
  readonly text: string;
  /** Whether all fees together are as much. */
  readonly byFees: boolean;
}

/** What the venue takes, as a share of what is traded, and a little. */
const FEE_SHARE = 0.00101;
/** An order may cost its value and a fee. */
const OPEN_VALUE_SHARE = 1.01;

/** The journal keeps its own invariants. */
function journalFaults({ journal, startFault }: Seen): readonly string[] {
  if (startFault !== null) return [];
  const judge = new JournalJudge(journal);
  return [...judge.look(), ...judge.wholeness()];
}

function lowerCase(changes: Readonly<Record<string, string>>): ReadonlyMap<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const [currency, amount] of Object.entries(changes)) {
    const name = currency.toLowerCase();
    sums.set(name, (sums.get(name) ?? new Decimal(0)).plus(amount));
  }
  return sums;
}

function rounded(figure: string | Decimal): Decimal {
  return new Decimal(figure).toDecimalPlaces(PLACES);
}
