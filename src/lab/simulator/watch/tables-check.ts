import { currenciesOf } from '#lab/simulator/daemon/configuration.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import { OPENING } from '#lab/simulator/service/products.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';
import type { JournalFold } from './journal-fold.ts';

/** Checks that the tables say of orders what their rows do (I20). */
export function checkTables(eye: JournalEye, fold: JournalFold, violate: Violate): void {
  for (const one of eye.rows<{ order_id: string; state: string; settled_at: string | null; response: string | null }>(
    'SELECT * FROM orders',
  )) {
    const outcome = fold.outcomes.get(one.order_id);
    const { state, settledAt, body } = outcome ?? { state: 'none', settledAt: null, body: null };
    const at = one.settled_at === null ? null : Date.parse(one.settled_at);
    if (one.state !== state || at !== settledAt || (body !== null && one.response !== body.toWellFormed()))
      violate('I20', `orders has ${JSON.stringify(one)}, and its rows say ${JSON.stringify(outcome)}`);
  }
  const sums = new Map<string, number>();
  const sum = (key: string, amount: number): void => void sums.set(key, (sums.get(key) ?? 0) + amount);
  for (const one of eye.rows<{ order_id: string; kind: string; currency: string; amount: string }>(
    'SELECT order_id, kind, currency, amount FROM ledger WHERE order_id IS NOT NULL',
  ))
    sum(`${one.order_id} ${one.kind} ${one.currency}`, Number(one.amount));
  for (const [id, { fill }] of fold.outcomes) {
    if (!fill) continue;
    const sign = fill.side === 'buy' ? 1 : -1;
    sum(`${id} fill ${fill.baseCcy}`, -sign * fill.size);
    sum(`${id} fill ${fill.quoteCcy}`, sign * fill.value);
    sum(`${id} fee ${fill.feeCcy}`, fill.fee);
  }
  for (const [key, left] of sums)
    if (Math.abs(left) > 1e-6) violate('I20', `the ledger has another ${key} than the row of that order, by ${left}`);
}

/** Checks that what the account began with stands once, each strategy's share of it as configured (I20). */
export function checkOpening(eye: JournalEye, { strategies }: SimulationPlan, violate: Violate): void {
  const rows = eye.rows<{ book: string; currency: string; amount: number }>(
    "SELECT book, currency, sum(CAST(amount AS REAL)) AS amount FROM ledger WHERE kind = 'opening' GROUP BY book, currency",
  );
  const say = (what: string, amount: number, wanted: number): void => {
    if (Math.abs(amount - wanted) > 1e-6) violate('I20', `${what} began with ${amount}, and ${wanted} are configured`);
  };
  for (const [currency, wanted] of Object.entries(OPENING)) {
    const all = rows.filter((one) => one.currency === currency);
    say(
      `the account in ${currency}`,
      all.reduce((sum, one) => sum + one.amount, 0),
      Number(wanted),
    );
    for (const strategy of strategies) {
      const own = all.find((one) => one.book === strategy.id)?.amount ?? 0;
      say(`${strategy.id} in ${currency}`, own, currenciesOf([strategy]).includes(currency) ? (strategy.budget ?? 50_000) : 0);
    }
  }
}
