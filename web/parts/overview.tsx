import type { MoneyView } from '#server/page/view.ts';
import { accountActs } from '../acts/acts.ts';
import type { Told } from '../live/model.ts';
import { exact, fixed } from '../words/numbers.ts';
import { ActButton } from './act-button.tsx';
import { Amount } from './amount.tsx';
import { EquityChart } from './equity-chart.tsx';
import { Section } from './section.tsx';

/** Below half a cent two figures are told apart by nobody. */
const SAME = 0.005;

/** What counts towards the day's loss, where that is another figure than the day's profit. */
function DayLoss({ money: { profitOfDay, profitForDayLoss, currency } }: { readonly money: MoneyView }) {
  if (profitForDayLoss === null || profitOfDay === null || Math.abs(profitForDayLoss - profitOfDay) < SAME) return null;
  return (
    <small>
      for risk.maxDayLoss <Amount value={profitForDayLoss} currency={currency} /> since trading was armed or resumed
    </small>
  );
}

/** The account: what it is worth, what it has made, how far it stands below its best, and the acts for all of it. */
export function Overview({ told: { state } }: { readonly told: Told }) {
  const { money } = state;
  const { currency } = money;
  return (
    <Section
      id="account"
      title="Account"
      tools={accountActs(state).map(({ label, asked }) => <ActButton key={label} asked={asked} label={label} />)}
    >
      <dl class="tiles">
        <div>
          <dt>Equity</dt>
          <dd>
            {fixed(money.equity, 2)} {currency}
          </dd>
        </div>
        <div>
          <dt>Profit today (UTC)</dt>
          <dd>
            <Amount value={money.profitOfDay} currency={currency} />
            <DayLoss money={money} />
          </dd>
        </div>
        <div>
          <dt>Profit of this run</dt>
          <dd>
            <Amount value={money.profitOfRun} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>Profit of all runs</dt>
          <dd>
            <Amount value={money.profit} currency={currency} />
          </dd>
        </div>
        <div>
          <dt title="how far the profit of all runs is below its highest so far; risk.maxDrawdownPct limits it">Account drawdown</dt>
          <dd>
            {fixed(money.drawdown, 2)} {currency} <small>{fixed(money.drawdownPct, 2)}&nbsp;%</small>
          </dd>
        </div>
      </dl>
      {money.laneless.length > 0 && <p class="note">{money.laneless.join('; ')}.</p>}
      {money.unrated.length > 0 && <p class="note">No lane gives a rate for {money.unrated.join(', ')}: left out of these figures.</p>}
      <EquityChart state={state} />
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
