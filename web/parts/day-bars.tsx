import type { DayProfit, ProfitDays } from '#server/page/history-view.ts';
import { useFillCount } from '../live/fill-count.ts';
import { useLookedUp } from '../live/looked-up.ts';
import type { LastState } from '../live/model.ts';
import { daysIn } from '../words/day-profit.ts';
import { direction, signedMoney } from '../words/numbers.ts';
import { Nothing } from './section.tsx';

/** Number of days that fit beside each other. */
const MAX_DAYS = 30;
/** Number of days with room for their figures. */
const LABELLED = 7;
/** Minimum height of a bar, in percent, so that a day without profit still shows as a line. */
const MIN_PCT = 1.5;

/** Closed profit of each day, as bars. */
export function DayBars({ told }: { readonly told: LastState }) {
  const found = useLookedUp<ProfitDays>('/api/history/profit', useFillCount(told));
  const days = found?.kind === 'done' ? found.body.days : [];
  const { currency, days: all, others } = daysIn(days, told.state.money);
  const shown = all.slice(-MAX_DAYS);
  return (
    <figure class="days">
      <figcaption>closed profit by day, {currency}</figcaption>
      {shown.length === 0 ? (
        <Nothing>{found === null ? 'Reading the journal.' : 'A bar appears here for each day on which a position was closed.'}</Nothing>
      ) : (
        <Bars days={shown} />
      )}
      {others.length > 0 && (
        <small>
          No rate leads from {others.join(', ')} to {currency}: `kairos profit --by day` has that profit.
        </small>
      )}
    </figure>
  );
}

function Bars({ days }: { readonly days: readonly DayProfit[] }) {
  const top = Math.max(0, ...days.map(({ profit }) => profit));
  const bottom = Math.max(0, ...days.map(({ profit }) => -profit));
  const scale = 100 / (top + bottom || 1);
  return (
    <ol class="day-bars" data-count={days.length > LABELLED ? 'many' : 'few'}>
      {days.map(({ day, profit, trades, won, currency }) => {
        const height = Math.max(MIN_PCT, Math.abs(profit) * scale);
        const place = profit >= 0 ? { bottom: `${bottom * scale}%` } : { top: `${top * scale}%` };
        return (
          <li key={day} title={`${day}: ${signedMoney(profit, currency)} ${currency}, ${won} of ${trades} trades won`}>
            <span class="track">
              <span class={`day-bar ${direction(profit)}`} style={{ height: `${height}%`, ...place }} />
            </span>
            <span class={`day-value ${direction(profit)}`}>{signedMoney(profit, currency)}</span>
            <time dateTime={day}>{day.slice(5)}</time>
          </li>
        );
      })}
    </ol>
  );
}
