import { buy, observe, param, strategy } from 'kairos/strategy';
import { map, merge, withLatestFrom } from 'rxjs';

interface Plan {
  /** Deposits so far, by currency. */
  readonly received: Readonly<Record<string, number>>;
  /** Cost of purchases without fees, in the product's quote currency. */
  readonly spent: number;
  /** When the last purchase was, in milliseconds; none since the last deposit if absent. */
  readonly boughtAt?: number;
}

const initial: Plan = { received: {}, spent: 0 };

/** How often it looks whether a period is over, in seconds: 60 times in one, since a restart begins to count anew. */
const lookSeconds = (everySeconds: number): number => Math.ceil(everySeconds / 60);

/**
 * Invests deposits in the product's quote currency over time: one amount when a deposit comes in, another each
 * `everySeconds`, while `sharePct` percent of the deposits covers it. State survives restarts.
 */
export default strategy({
  name: 'deposit-dca',
  params: { sharePct: param.number(100, { min: 1, max: 100 }), everySeconds: param.int(3600, { min: 1 }) },
  state: {
    initial,
    on: (plan, event) => {
      if (event.type === 'deposit') {
        const { currency, amount } = event.deposit;
        const { boughtAt: _, ...rest } = plan;
        return { ...rest, received: { ...plan.received, [currency]: (plan.received[currency] ?? 0) + Number(amount) } };
      }
      if (event.type !== 'outcome' || event.outcome.state !== 'accepted' || event.outcome.side !== 'buy') return plan;
      const { price = 0, size = 0, at } = event.outcome;
      return { ...plan, spent: plan.spent + price * size, boughtAt: at };
    },
  },
  signals: ({ quotes$, deposits$, every }, { everySeconds }) =>
    merge(deposits$, every(`${lookSeconds(everySeconds)}s`)).pipe(
      withLatestFrom(quotes$),
      map(([, quote]) => quote.buy.value),
      observe('value'),
    ),
  decide: (value, { now, quote, state: { received, spent, boughtAt = 0 }, amount }, { sharePct, everySeconds }) => {
    // An execution comes after its look: half a look less keeps the period.
    const isDue = now - boughtAt >= (everySeconds - lookSeconds(everySeconds) / 2) * 1000;
    return isDue && quote && value <= ((received[quote.quoteCcy] ?? 0) * sharePct) / 100 - spent
      ? buy(amount, 'invests a deposit', { within: '10s' })
      : undefined;
  },
});
