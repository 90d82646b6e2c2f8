import { useMemo } from 'preact/hooks';
import type { EquityHistory } from '#server/page/history-view.ts';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { LateTimeChart } from '../charts/late.tsx';
import { bySecond } from '../charts/points.ts';
import type { ChartLine } from '../charts/time-chart.tsx';
import { amount } from '../words/numbers.ts';

/** Equity of the run up to the moment. */
export function EquityThen({
  history,
  at,
  why,
}: {
  readonly history: EquityHistory | null;
  readonly at: number;
  /** Why there is none; null while it is not known. */
  readonly why: string | null;
}) {
  const upTo = history?.points.findLastIndex((point) => point.at <= at) ?? -1;
  const lines = useMemo(
    (): readonly ChartLine[] => [
      {
        name: 'equity',
        ink: 'first',
        pane: 0,
        look: 'area',
        places: 2,
        points: bySecond((history?.points ?? []).slice(0, upTo + 1).map((point) => ({ at: point.at, value: point.equity }))),
      },
    ],
    [history, upTo],
  );
  const points = lines[0]?.points ?? [];
  if (points.length < 2) {
    const waiting = history === null ? 'Reading the recording.' : 'Equity begins later in this run.';
    return <EmptyChart says={why ?? history?.why ?? waiting} />;
  }
  return <LateTimeChart lines={lines} says={`Equity of the run up to the moment: ${amount(points.at(-1)?.value, history?.currency)}.`} />;
}
