import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PriceData, RunData } from '#report/page/page-data.ts';
import { MarketChart, type UnderCursor } from '../charts/market-chart.ts';
import { saysOf, signalsOf } from '../charts/market-signals.ts';
import type { TimeWindow } from '../charts/window.ts';
import { useStore } from '../live/store.ts';
import { themeStore } from '../live/theme.ts';
import { ChartMoves } from '../parts/chart-moves.tsx';
import { MarketLegend } from '../parts/market-legend.tsx';
import { amount } from '../words/numbers.ts';
import { shownOrder, shownTrade } from './chosen.ts';
import { historyOf, secondText, type TradeMarks } from './series.ts';

/** Signals of another scale than the prices that have panes of their own. */
const MAX_BELOW = 3;
/** Values of a signal are joined that are no further apart than this share of the bars. */
const JOINED_SHARE = 0.05;

/** The prices of a product with what was done at them, and the trade that was chosen in the table. */
export function Prices({ price, run }: { readonly price: PriceData; readonly run: RunData }) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<MarketChart | null>(null);
  const theme = useStore(themeStore);
  const chosen = useStore(shownTrade);
  const trade = chosen?.product === price.product ? chosen : null;
  const [refusals, setRefusals] = useState(false);
  const [under, setUnder] = useState<UnderCursor | null>(null);
  const [seen, setSeen] = useState<TimeWindow>({ from: run.from, to: run.to });
  const history = useMemo(() => historyOf(price, run, trade), [trade]);
  const signals = useMemo(() => {
    const reach = Math.ceil(history.bars.length * JOINED_SHARE);
    return signalsOf(history, MAX_BELOW).map((one) => ({ ...one, reach }));
  }, []);
  const panes = Math.max(0, ...signals.map(({ pane }) => pane));
  const close = history.bars.at(-1)?.close ?? null;

  useEffect(() => {
    if (!place.current) return;
    const onFills = (of: readonly { readonly order: string }[]): void => shownOrder.set({ order: of.at(-1)?.order ?? '' });
    const made = new MarketChart(place.current, { onMoved: setSeen, onCursor: setUnder, onFills }, true);
    drawn.current = made;
    return () => {
      drawn.current = null;
      made.remove();
    };
  }, [theme]);

  const show = (time: TimeWindow | null): void => {
    const { bars, stepMs, fills, trades, runs } = history;
    const layer = { fills, trades, runs, refusals: refusals ? history.refusals : [], chosen: trade };
    drawn.current?.show({ bars, stepMs, signals, levels: [], layer, seen: time });
  };
  useEffect(() => show(seen), [theme, refusals]);
  useEffect(() => {
    if (trade === null) return;
    const around = Math.max(trade.closedAt - trade.openedAt, 6 * history.stepMs);
    const time = { from: Math.max(run.from, trade.openedAt - around), to: Math.min(run.to, trade.closedAt + around) };
    setSeen(time);
    show(time);
    place.current?.scrollIntoView({ block: 'center', behavior: 'instant' });
    place.current?.focus({ preventScroll: true });
  }, [trade]);
  const whole = (): void => {
    const time = { from: run.from, to: run.to };
    setSeen(time);
    if (trade === null) show(time);
    else shownTrade.set(null);
  };
  useEffect(() => {
    if (trade === null) show(seen);
  }, [trade === null]);

  const all = price.refusals.length + price.refusalsLeftOut;
  return (
    <>
      <div class="chart-head">
        <MarketLegend history={history} signals={signals} under={under} price={close} />
        <div class="tools">
          {price.refusals.length > 0 && (
            <label
              title={price.refusalsLeftOut > 0 ? 'A refusal that was repeated has a mark at its first time and at its last' : undefined}
            >
              <input type="checkbox" checked={refusals} onChange={({ currentTarget }) => setRefusals(currentTarget.checked)} /> {all}{' '}
              refused
              {price.refusalsLeftOut > 0 && `, ${price.refusals.length} of them marked`}
            </label>
          )}
          <ChartMoves chart={drawn} />
          <button type="button" class="plain" onClick={whole}>
            whole time
          </button>
        </div>
      </div>
      {trade !== null && <Chosen trade={trade} currency={run.currencies[price.product] ?? ''} />}
      <div
        ref={place}
        class="chart large"
        style={{ '--panes': panes }}
        role="img"
        aria-label={saysOf(history, close)}
        title="drag or Shift with arrows to move, + and - or Ctrl with the wheel to zoom; arrows read the values; a click on a mark leads to its trade"
      />
    </>
  );
}

const Chosen = ({ trade, currency }: { readonly trade: TradeMarks; readonly currency: string }) => (
  <p class="readout" aria-live="polite">
    {trade.strategy}: {secondText(trade.openedAt)} to {secondText(trade.closedAt)}, profit {amount(trade.profit, currency)}{' '}
    <button type="button" class="link" onClick={() => shownOrder.set({ order: trade.exitOrder })}>
      to its row
    </button>
  </p>
);
