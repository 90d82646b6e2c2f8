import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EquityHistory } from '#server/page/history-view.ts';
import type { StateView } from '#server/page/view.ts';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { bySecond, fallsOf } from '../charts/points.ts';
import { type ChartLine, TimeChart } from '../charts/time-chart.tsx';
import { Grown } from '../live/grown.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { fixed } from '../words/numbers.ts';

const REFRESH_MS = 20_000;
/** Fewer say nothing. */
const LEAST_POINTS = 5;

/** What the books of the strategies are worth over this run, and how far below their best. */
export function EquityChart({ state }: { readonly state: StateView }) {
  const [grown] = useState(() => new Grown());
  const [lines, setLines] = useState<readonly ChartLine[]>([]);
  const { equity, currency } = state.money;
  const at = Date.parse(state.at);
  const second = Math.floor(at / 1000);
  const found = useLookedUp<EquityHistory>('/api/history/equity?run=last', Math.floor(at / REFRESH_MS));
  const history = found?.kind === 'done' ? found.body : null;
  // A report leaves out what was paid in after its first capital; the page shows what there is now.
  const paidIn = useMemo(() => (equity ?? 0) - (history?.points.at(-1)?.equity ?? equity ?? 0), [history]);
  useEffect(() => {
    grown.add('equity', at, equity);
    const before = bySecond((history?.points ?? []).map((point) => ({ at: point.at, value: point.equity + paidIn })));
    const worth = grown.after('equity', before);
    setLines([
      { name: 'equity', ink: 'first', pane: 0, look: 'area', places: 2, points: worth },
      { name: 'equity drawdown', ink: 'down', pane: 1, look: 'area', places: 2, points: fallsOf(worth) },
    ]);
  }, [history, second]);
  const points = lines[0]?.points ?? [];
  const nothing = found === null ? 'Asking the journal.' : 'Equity of this run and its drawdown stand here once there are prices.';
  const says = `Equity over this run: now ${fixed(points.at(-1)?.value, 2)} ${currency}, ${fixed(-(lines[1]?.points.at(-1)?.value ?? 0), 2)} percent below its best.`;
  return (
    <figure>
      <figcaption>
        <span class="key first">equity of the strategies, {currency}</span> <span class="key down">equity drawdown of this run, %</span>
      </figcaption>
      {points.length < LEAST_POINTS ? <EmptyChart says={history?.why ?? nothing} tall /> : <TimeChart lines={lines} says={says} tall />}
    </figure>
  );
}
