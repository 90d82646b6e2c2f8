import type { DayProfit, ProfitDays } from '#server/page/history-view.ts';
import { useFillCount } from '../live/fill-count.ts';
import { useLookedUp } from '../live/looked-up.ts';
import type { Told } from '../live/model.ts';
import { direction, signed } from '../words/numbers.ts';
import { Nothing } from './section.tsx';

/** Number of days that fit beside each other. */
const MAX_DAYS = 30;
/** Number of days with room for their figures. */
const LABELLED = 7;
/** Minimum height of a bar, in percent, so that a day without profit still shows as a line. */
const MIN_PCT = 1.5;

/** Closed profit of each day, as bars: in the account's currency, else in the currency of the most days. */
export function DayBars({ told }: { readonly told: Told }) {
  const found = useLookedUp<ProfitDays>('/api/history/profit', useFillCount(told));
  const days = found?.kind === 'done' ? found.body.days : [];
  const currency = currencyOf(days, told.state.money.currency);
  const shown = days.filter((day) => day.currency === currency).slice(-MAX_DAYS);
  const others = new Set(days.filter((day) => day.currency !== currency).map((day) => day.currency));
  return (
    <figure class="days">
      <figcaption>closed profit by day, {currency}</figcaption>
      {shown.length === 0 ? (
        <Nothing>{found === null ? 'Reading the journal.' : 'A bar appears here for each day on which a position was closed.'}</Nothing>
      ) : (
        <Bars days={shown} />
      )}
      {others.size > 0 && <small>Days in {[...others].join(', ')} are not drawn: `kairos profit --by day` has them.</small>}
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
          <li key={day} title={`${day}: ${signed(profit, 2)} ${currency}, ${won} of ${trades} trades won`}>
            <span class="track">
              <span class={`day-bar ${direction(profit)}`} style={{ height: `${height}%`, ...place }} />
            </span>
            <span class={`day-value ${direction(profit)}`}>{signed(profit, 2)}</span>
            <time dateTime={day}>{day.slice(5)}</time>
          </li>
        );
      })}
    </ol>
  );
}

function currencyOf(days: readonly DayProfit[], account: string): string {
  if (days.some(({ currency }) => currency === account)) return account;
  const counts = new Map<string, number>();
  for (const { currency } of days) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? account;
}
