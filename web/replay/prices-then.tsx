import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChartHistory } from '#server/page/history-view.ts';
import type { ReplayView } from '#server/page/replay-view.ts';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { useCharts } from '../charts/late.tsx';
import type { Level, MarketChart, UnderCursor } from '../charts/market-chart.ts';
import { saysOf, signalsOf } from '../charts/market-signals.ts';
import { MARKET_SPANS, type MarketSpan } from '../charts/spans.ts';
import { barsOf } from '../charts/window.ts';
import { showStory } from '../live/order-shown.ts';
import { useStore } from '../live/store.ts';
import { themeStore } from '../live/theme.ts';
import { Choice } from '../parts/choice.tsx';
import { MarketLegend } from '../parts/market-legend.tsx';
import { Nothing, Section } from '../parts/section.tsx';
import { useOneAtATime } from './one-at-a-time.ts';

const MINUTE_MS = 60_000;
const BARS = 160;

/** Prices of a product up to the moment, with the signals, executions and refusals until then. */
export function PricesThen({ view, at }: { readonly view: ReplayView; readonly at: number }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [span, setSpan] = useState<MarketSpan>(5);
  // A jump to a row shows its product, unless the person chose one.
  const product = chosen ?? view.products.find((one) => one === view.row?.product) ?? view.products[0] ?? '';
  const held = useRef(product);
  if (chosen !== null || view.row?.product != null) held.current = product;
  return (
    <Section
      id="chart"
      title="Chart"
      tools={
        <>
          <Choice
            legend="product"
            name="product"
            choices={view.products.map((one) => [one, one] as const)}
            value={held.current}
            onChoose={setChosen}
          />
          <Choice legend="prices of the last" name="replay-span" choices={MARKET_SPANS} value={span} onChoose={setSpan} />
        </>
      }
    >
      <Prices key={held.current} product={held.current} view={view} at={at} spanMs={span * MINUTE_MS} />
    </Section>
  );
}

interface Props {
  readonly product: string;
  readonly view: ReplayView;
  readonly at: number;
  readonly spanMs: number;
}

function Prices({ product, view, at, spanMs }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<MarketChart | null>(null);
  const theme = useStore(themeStore);
  const charts = useCharts();
  const [under, setUnder] = useState<UnderCursor | null>(null);
  const found = useOneAtATime<ChartHistory>(pathOf(product, { run: view.run, at, spanMs }));
  const history = found?.kind === 'done' ? found.body : null;
  const signals = useMemo(() => signalsOf(history), [history]);
  const levels = levelsOf(view, product);
  const price = history?.bars.at(-1)?.close ?? null;

  useEffect(() => {
    if (!place.current || typeof charts === 'string') return;
    const onFills = (of: ChartHistory['fills']): void => showStory(of.at(-1)?.order ?? '');
    const made = new charts.MarketChart(place.current, { onMoved: () => {}, onCursor: setUnder, onFills }, true);
    drawn.current = made;
    return () => {
      drawn.current = null;
      made.remove();
    };
  }, [theme, charts, history === null]);

  useEffect(() => {
    if (!history) return;
    const { fills, refusals, trades, runs } = history;
    drawn.current?.show({
      bars: history.bars,
      stepMs: history.stepMs,
      signals,
      levels,
      layer: { fills, refusals, trades, runs, chosen: null },
      seen: { from: history.from, to: history.to },
    });
  }, [history, theme, charts, JSON.stringify(levels)]);

  if (history === null) return <EmptyChart says={found !== null && found.kind !== 'done' ? found.why : 'Reading the recordings.'} large />;
  if (typeof charts === 'string') return <EmptyChart says={charts} large />;
  return (
    <figure>
      <div class="stage">
        <MarketLegend history={history} signals={signals} under={under} price={price} />
        <div ref={place} class="chart large" role="img" aria-label={saysOf(history, price)} />
      </div>
      {history.bars.length === 0 && <Nothing>No quotes of {product} are recorded for this time.</Nothing>}
    </figure>
  );
}

function pathOf(product: string, { run, at, spanMs }: { readonly run: string; readonly at: number; readonly spanMs: number }): string {
  // Events at the moment itself are included.
  const [from, to] = [at - spanMs, at + 1].map((time) => new Date(time).toISOString());
  return `/api/history/chart?product=${encodeURIComponent(product)}&from=${from}&to=${to}&bars=${barsOf({ from: at - spanMs, to: at }, BARS)}&refusals=true&run=${encodeURIComponent(run)}`;
}

const levelsOf = ({ strategies }: ReplayView, product: string): readonly Level[] =>
  strategies.flatMap(({ product: of, entry }) =>
    of === product && entry !== null ? [{ price: Number(entry), title: 'entry', ink: 'ink' as const }] : [],
  );
