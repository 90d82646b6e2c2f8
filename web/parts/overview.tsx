import type { MoneyView } from '#server/page/view.ts';
import { accountActs } from '../acts/acts.ts';
import type { Told } from '../live/model.ts';
import { exact, fixed } from '../words/numbers.ts';
import { ActButton } from './act-button.tsx';
import { Amount } from './amount.tsx';
import { DayBars } from './day-bars.tsx';
import { EquityChart } from './equity-chart.tsx';
import { Section } from './section.tsx';

/** Two figures within half a cent count as equal. */
const SAME = 0.005;

/** The figure that counts towards the day's loss, if it differs from the day's profit. */
function DayLoss({ money: { profitOfDay, profitForDayLoss, currency } }: { readonly money: MoneyView }) {
  if (profitForDayLoss === null || profitOfDay === null || Math.abs(profitForDayLoss - profitOfDay) < SAME) return null;
  return (
    <span>
      for risk.maxDayLoss <Amount value={profitForDayLoss} currency={currency} /> since trading was armed or resumed
    </span>
  );
}

/** The account over time: equity, profit by day, drawdown, and the acts for the whole account. */
export function Overview({ told }: { readonly told: Told }) {
  const { money } = told.state;
  const { currency } = money;
  return (
    <Section
      id="account"
      title="Account"
      tools={accountActs(told.state).map(({ label, asked }) => <ActButton key={label} asked={asked} label={label} />)}
    >
      <div class="account-charts">
        <EquityChart state={told.state} />
        <DayBars told={told} />
      </div>
      <p class="beside">
        <span title="distance of the profit of all runs below its highest; risk.maxDrawdownPct limits it">
          account drawdown {fixed(money.drawdown, 2)} {currency}, {fixed(money.drawdownPct, 2)}&nbsp;%
        </span>
        <DayLoss money={money} />
        {money.missing.length > 0 && <span>left out of today: {money.missing.join('; ')}</span>}
      </p>
      {money.laneless.length > 0 && <p class="note">{money.laneless.join('; ')}.</p>}
      {money.unrated.length > 0 && <p class="note">No lane gives a rate for {money.unrated.join(', ')}: left out of these figures.</p>}
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
