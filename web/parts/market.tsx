import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChartFill, ChartHistory } from '#server/page/history-view.ts';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { useCharts } from '../charts/late.tsx';
import type { Level, MarketChart, UnderCursor } from '../charts/market-chart.ts';
import { saysOf, signalsOf } from '../charts/market-signals.ts';
import { signalKey } from '../charts/signal-names.ts';
import { MARKET_SPANS, type MarketSpan } from '../charts/spans.ts';
import { barsOf, serves, type TimeWindow, windowAround } from '../charts/window.ts';
import { useFillCount } from '../live/fill-count.ts';
import { useInSight } from '../live/in-sight.ts';
import { LiveSeries } from '../live/live-series.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { marketStore } from '../live/market.ts';
import type { LastState } from '../live/model.ts';
import { showStory } from '../live/order-shown.ts';
import { useStore } from '../live/store.ts';
import { themeStore } from '../live/theme.ts';
import { heldOf, type StrategyHolding } from '../words/held.ts';
import { ChartMoves } from './chart-moves.tsx';
import { Choice } from './choice.tsx';
import { MarketLegend } from './market-legend.tsx';
import { Nothing, Section } from './section.tsx';

const MINUTE_MS = 60_000;
const FIRST_SPAN: MarketSpan = 60;
/** Number of bars to load before the chart has a width. */
const FIRST_BARS = 120;

/** One large chart of one product at a time: prices, signals, executions, refusals if switched on, entry and exit of each round trip. */
export function Market({ told }: { readonly told: LastState }) {
  const { product: chosen, trade } = useStore(marketStore);
  const products = [...new Set(told.state.lanes.map(({ product }) => product))];
  const product = chosen !== null && products.includes(chosen) ? chosen : (products[0] ?? null);
  if (product === null) {
    return (
      <Section id="chart" title="Chart">
        <Nothing>The prices of each product appear here once a lane is open.</Nothing>
      </Section>
    );
  }
  return (
    <Section
      id="chart"
      title="Chart"
      tools={
        <Choice
          legend="product"
          name="product"
          choices={products.map((one) => [one, one] as const)}
          value={product}
          onChoose={(one) => marketStore.set({ product: one, trade: null })}
        />
      }
    >
      <ProductChart key={product} product={product} told={told} trade={trade} />
    </Section>
  );
}

interface Props {
  readonly product: string;
  readonly told: LastState;
  /** The round trip to show. */
  readonly trade: { readonly openedAt: number; readonly closedAt: number } | null;
}

function ProductChart({ product, told, trade }: Props) {
  const at = Date.parse(told.state.at);
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<MarketChart | null>(null);
  const theme = useStore(themeStore);
  const charts = useCharts();
  const { place: figure, isInSight } = useInSight<HTMLElement>();
  const [span, setSpan] = useState<MarketSpan | undefined>(FIRST_SPAN);
  const [seen, setSeen] = useState<TimeWindow>(() => ({ from: at - FIRST_SPAN * MINUTE_MS, to: at }));
  const [asked, setAsked] = useState(() => askedFor(seen, at));
  const [grown] = useState(() => new LiveSeries());
  /** True until a person chooses a time: the chart shows the last hour, or what there is of it. */
  const isFirst = useRef(true);
  const [refusals, setRefusals] = useState(false);
  const [under, setUnder] = useState<UnderCursor | null>(null);
  const [newest, setNewest] = useState<UnderCursor | null>(null);
  /** The time to show with the next answer; null: unchanged. */
  const wanted = useRef<TimeWindow | null>(seen);
  const fills = useFillCount(told);
  const fitting = drawn.current?.room ?? FIRST_BARS;
  // An open-ended range is reloaded each minute.
  const end = asked.isOpen ? at - (at % MINUTE_MS) + MINUTE_MS : asked.to;
  const bars = Math.ceil(barsOf(seen, fitting) * ((end - asked.from) / (seen.to - seen.from)));
  const path = pathOf(product, { from: asked.from, to: end }, { bars: Math.min(2_000, bars), refusals });
  const found = useLookedUp<ChartHistory>(isInSight ? path : null, fills);
  const history = found?.kind === 'done' ? found.body : null;
  const lane = told.state.lanes.find((one) => one.lane === history?.lane) ?? told.state.lanes.find((one) => one.product === product);
  const price = lane?.buy != null && lane.sell != null ? (lane.buy + lane.sell) / 2 : null;
  const signals = useMemo(() => signalsOf(history), [history]);
  const held = heldOf(told.state.strategies, product);
  const levels = levelsOf(told, product, held);
  const levelKey = JSON.stringify(levels);

  const show = (next: TimeWindow): void => {
    wanted.current = next;
    setSeen(next);
    setAsked(askedFor(next, at));
  };
  const onMoved = (next: TimeWindow): void => {
    isFirst.current = false;
    setSpan(undefined);
    setSeen(next);
    const has =
      history && serves({ from: history.from, to: history.to, stepMs: history.stepMs }, next, { nowMs: at, bars: barsOf(next, fitting) });
    if (has) return;
    wanted.current = next;
    setAsked(askedFor(next, at));
  };
  const heard = useRef({ onMoved, onCursor: setUnder, onFills: (of: readonly ChartFill[]) => showStory(of.at(-1)?.order ?? '') });
  heard.current.onMoved = onMoved;

  useEffect(() => {
    if (!place.current || typeof charts === 'string') return;
    const made = new charts.MarketChart(place.current, {
      onMoved: (next) => heard.current.onMoved(next),
      onCursor: (next) => heard.current.onCursor(next),
      onFills: (of) => heard.current.onFills(of),
    });
    drawn.current = made;
    wanted.current ??= seen;
    return () => {
      drawn.current = null;
      made.remove();
    };
  }, [theme, charts, history === null]);

  useEffect(() => {
    if (!history) return;
    const layer = { fills: history.fills, refusals: history.refusals, trades: history.trades, runs: history.runs, chosen: trade };
    drawn.current?.show({ bars: history.bars, stepMs: history.stepMs, signals, levels, layer, seen: wanted.current });
    wanted.current = null;
    // Values that arrived after the recording was read.
    const since = (name: string) => grown.after(name, [{ time: Math.floor((history.bars.at(-1)?.at ?? 0) / 1000), value: 0 }]).slice(1);
    for (const { time, value } of since('price')) drawn.current?.add(time * 1000, value);
    for (const { of } of signals) for (const { time, value } of since(of)) drawn.current?.addSignal(of, time * 1000, value);
    setNewest(drawn.current?.newest ?? null);
  }, [history, theme, charts, levelKey, trade]);

  useEffect(() => {
    grown.add('price', at, price);
    if (price !== null) drawn.current?.add(at, price);
    for (const { id, observed, product: of } of told.state.strategies) {
      for (const [name, value] of of === product ? Object.entries(observed) : []) {
        if (typeof value !== 'number' || !Number.isFinite(value)) continue;
        grown.add(signalKey(id, name), at, value);
        drawn.current?.addSignal(signalKey(id, name), at, value);
      }
    }
    setNewest(drawn.current?.newest ?? null);
  }, [told]);

  useEffect(() => {
    const [first] = history?.bars ?? [];
    const fitting = first && firstSpan(at - first.at);
    if (isFirst.current && fitting !== undefined && fitting !== span) choose(fitting);
  }, [history]);

  useEffect(() => {
    if (!trade) return;
    isFirst.current = false;
    const held = Math.max(trade.closedAt - trade.openedAt, MINUTE_MS);
    setSpan(undefined);
    show({ from: trade.openedAt - held, to: Math.min(at, trade.closedAt + held) });
  }, [trade]);

  const choose = (minutes: MarketSpan): void => {
    setSpan(minutes);
    show({ from: at - minutes * MINUTE_MS, to: at });
  };
  return (
    <figure ref={figure}>
      <div class="chart-head">
        <div class="tools">
          <label class="check-inline">
            <input type="checkbox" checked={refusals} onChange={({ currentTarget }) => setRefusals(currentTarget.checked)} /> refusals
          </label>
          <ChartMoves chart={drawn} />
          <Choice
            legend="prices of the last"
            name="market-span"
            choices={MARKET_SPANS}
            value={span}
            onChoose={(minutes) => {
              isFirst.current = false;
              choose(minutes);
            }}
          />
        </div>
      </div>
      <div class="stage">
        <MarketLegend history={history} signals={signals} under={under} newest={newest} price={price} held={held} />
        {history === null || typeof charts === 'string' ? (
          <EmptyChart says={found === null ? 'Reading the recordings.' : found.kind === 'done' ? String(charts) : found.why} large />
        ) : (
          <div
            ref={place}
            class="chart large"
            role="img"
            aria-label={saysOf(history, price)}
            title="drag to move; Ctrl with the wheel, a pinch, + and - zoom; arrows read the values; a click on a mark tells its order's story"
          />
        )}
      </div>
      {history !== null && history.bars.length === 0 && <Nothing>No quotes of {product} are recorded for this time.</Nothing>}
    </figure>
  );
}

/** The shortest time that has a quarter of the recorded prices in it, an hour at most. */
const firstSpan = (recordedMs: number): MarketSpan =>
  MARKET_SPANS.map(([, minutes]) => minutes).find((minutes) => minutes >= FIRST_SPAN || 4 * minutes * MINUTE_MS >= recordedMs) ??
  FIRST_SPAN;

const pathOf = (
  product: string,
  { from, to }: TimeWindow,
  { bars, refusals }: { readonly bars: number; readonly refusals: boolean },
): string =>
  `/api/history/chart?product=${encodeURIComponent(product)}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&bars=${bars}${
    refusals ? '&refusals=true' : ''
  }`;

/** The path of the request, and whether its time reaches to now. */
function askedFor(seen: TimeWindow, nowMs: number): TimeWindow & { readonly isOpen: boolean } {
  const around = windowAround(seen, nowMs);
  return { ...around, isOpen: around.to >= nowMs };
}

/** Entry prices of open positions and the prices of their exits, in colours that no last price has; the strategy is named where several hold. */
function levelsOf({ state }: LastState, product: string, held: readonly StrategyHolding[]): readonly Level[] {
  const named = (id: string, what: string): string => (held.length > 1 ? `${id} ${what}` : what);
  return [
    ...state.strategies.flatMap(({ id, exits, product: of, entry }) =>
      (of === product && entry !== null ? exits : []).map(({ reason, price }) => ({
        price,
        title: named(id, reason.toLowerCase().replaceAll('_', ' ')),
        ink: 'warn' as const,
      })),
    ),
    ...held.map(({ id, price }) => ({ price, title: named(id, 'entry'), ink: 'ink' as const })),
  ];
}
