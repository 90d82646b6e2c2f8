import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EquityHistory } from '#server/page/history-view.ts';
import type { StateView } from '#server/page/view.ts';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { LateTimeChart } from '../charts/late.tsx';
import { bySecond, evenly } from '../charts/points.ts';
import { EQUITY_SPANS, type EquitySpan } from '../charts/spans.ts';
import type { ChartBorder, ChartLine } from '../charts/time-chart.tsx';
import { LiveSeries } from '../live/live-series.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { EQUITY_IS } from '../words/held.ts';
import { amount, money } from '../words/numbers.ts';
import { Choice } from './choice.tsx';

const REFRESH_MS = 20_000;
/** Interval of loading while earlier runs are still being read, in milliseconds. */
const READING_MS = 1_000;
/** Points that are drawn, as many as are kept of a past run: of the present one more are told, and would take more room than its time. */
const MAX_POINTS = 300;
/** With fewer points no line is drawn. */
const MIN_POINTS = 5;
const MINUTE = 60;

/** Equity of the strategies' books, over all runs with their borders. */
export function EquityChart({ state }: { readonly state: StateView }) {
  const [grown] = useState(() => new LiveSeries());
  const [span, setSpan] = useState<EquitySpan>(null);
  const [lines, setLines] = useState<readonly ChartLine[]>([]);
  const [isWhole, setWhole] = useState(true);
  const { equity, currency } = state.money;
  const at = Date.parse(state.at);
  const second = Math.floor(at / 1000);
  const found = useLookedUp<EquityHistory>('/api/history/equity?run=all', Math.floor(at / (isWhole ? REFRESH_MS : READING_MS)));
  const history = found?.kind === 'done' ? found.body : null;
  const borders = useMemo(() => bordersOf(history), [history]);
  useEffect(() => setWhole(history?.whole ?? true), [history]);
  useEffect(() => {
    grown.add('equity', at, equity);
    const before = (history?.points ?? []).map((point) => ({ at: point.at, value: point.equity }));
    const from = span === null ? 0 : second - span * MINUTE;
    const points = evenly(
      grown.after('equity', bySecond(before)).filter(({ time }) => time >= from),
      MAX_POINTS,
    );
    setLines([{ name: 'equity', ink: 'first', pane: 0, look: 'area', places: 2, points }]);
  }, [history, second, span]);
  const points = lines[0]?.points ?? [];
  const nothing = found === null ? 'Reading the journal.' : 'Equity appears here once there are prices.';
  const runs = history?.runs.length ?? 0;
  const joined = history?.joined ?? 0;
  const came = joined === 0 ? '' : `; the newest came with budgets of ${money(joined, currency)} more, no profit`;
  const says = `Equity over ${runs === 1 ? 'this run' : `${runs} runs${came}`}: now ${amount(points.at(-1)?.value, currency)}.`;
  return (
    <figure>
      <div class="chart-head">
        <figcaption>
          <span class="key first" title={EQUITY_IS}>
            equity, {currency}
          </span>
          {runs > 1 && <span class="key border">begin of a run{came}</span>}
        </figcaption>
        <Choice legend="equity of the last" name="equity-span" choices={EQUITY_SPANS} value={span} onChoose={setSpan} />
      </div>
      {points.length < MIN_POINTS ? (
        <EmptyChart says={history?.why ?? nothing} />
      ) : (
        <LateTimeChart lines={lines} borders={borders} says={says} />
      )}
    </figure>
  );
}

/** The begin of each run except the first. */
const bordersOf = (history: EquityHistory | null): readonly ChartBorder[] =>
  (history?.runs ?? []).slice(1).map(({ run, at }) => ({ time: Math.floor(at / 1000), name: run }));
