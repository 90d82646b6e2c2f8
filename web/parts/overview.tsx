import type { MoneyView } from '#server/page/view.ts';
import type { LastState } from '../live/model.ts';
import { amount as amountText, exact, fixed } from '../words/numbers.ts';
import { Amount } from './amount.tsx';
import { DayBars } from './day-bars.tsx';
import { EquityChart } from './equity-chart.tsx';
import { Section } from './section.tsx';

/** The figures that count towards the day's loss, where they are not the day's profit. */
function DayLoss({ money: { heldForDayLoss } }: { readonly money: MoneyView }) {
  return heldForDayLoss.map(({ currency, profit, isResumed }) => (
    <span key={currency}>
      for risk.maxDayLoss <Amount value={profit} currency={currency} />
      {isResumed && ' since trading was armed or resumed'}
    </span>
  ));
}

/** What the whole account has in its currency, treasury included. */
function Balance({ money: { balances, currency } }: { readonly money: MoneyView }) {
  const own = balances.find((balance) => balance.currency === currency);
  return own === undefined ? null : <span>account balance {amountText(own.amount, currency)}</span>;
}

/** The account over time: equity, profit by day, drawdown, balances. */
export function Overview({ told }: { readonly told: LastState }) {
  const { money } = told.state;
  return (
    <Section id="account" title="Account">
      <div class="account-charts">
        <EquityChart state={told.state} />
        <DayBars told={told} />
      </div>
      <p class="beside">
        <Balance money={money} />
        <span title="distance of the profit of all runs below its highest; risk.maxDrawdownPct limits it">
          account drawdown {amountText(money.drawdown, money.drawdownCurrency)}, {fixed(money.drawdownPct, 2)}&nbsp;%
        </span>
        <DayLoss money={money} />
        {money.missing.length > 0 && <span>left out of today: {money.missing.join('; ')}</span>}
      </p>
      {money.laneless.length > 0 && <p class="note">{money.laneless.join('; ')}.</p>}
      {money.unrated.length > 0 && (
        <p class="note">
          No lane gives a rate for {money.unrated.join(', ')}: left out of these figures, but for the drawdown, which is the largest of
          those that cannot be added up.
        </p>
      )}
      <details>
        <summary>Balances</summary>
        <ul class="balances">
          {money.balances.map(({ currency: code, amount }) => (
            <li key={code}>
              {exact(amount)} {code}
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}
