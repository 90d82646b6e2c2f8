import { useState } from 'preact/hooks';
import type { RunsView } from '#server/page/history-view.ts';
import { useFillCount } from '../live/fill-count.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { fixed } from '../words/numbers.ts';
import { momentText } from '../words/times.ts';
import { Amounts } from './amount.tsx';
import { Backtest } from './backtest.tsx';
import { Moment } from './moment.tsx';
import { Nothing } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [
  { title: 'run' },
  { title: 'mode' },
  { title: 'began' },
  { title: 'ended' },
  { title: 'orders', isFigure: true },
  { title: 'executed', isFigure: true },
  { title: 'closed profit', isFigure: true },
  { title: 'decisions', isFigure: true },
  { title: 'report' },
  { title: 'replay' },
  { title: 'compare' },
];

const MAX_SHOWN = 20;

/** Runs of this book and reports in files, each opened beside this page. */
export function Runs({ told }: { readonly told: LastState }) {
  const { state } = told;
  const [picked, setPicked] = useState<string | null>(state.run);
  const fills = useFillCount(told);
  const scheduled = JSON.stringify(useStore(model.past)?.schedule.map(({ last }) => last));
  const found = useLookedUp<RunsView>('/api/runs', `${state.run} ${state.backtest?.report} ${fills} ${scheduled}`);
  if (found === null) return <Nothing>Reading the journal.</Nothing>;
  if (found.kind !== 'done') return <p role="alert">{found.why}</p>;
  const { runs, reports } = found.body;
  return (
    <>
      <Table
        caption="Runs of this book, the newest first"
        columns={COLUMNS}
        rows={runs.slice(0, MAX_SHOWN).map((one) => ({
          key: one.run,
          cells: [
            one.run,
            <span key="mode" class="whole">
              {one.mode.toUpperCase()}
            </span>,
            <Moment key="started" at={one.startedAt} />,
            one.endedAt === null
              ? one.run === state.run
                ? 'goes on'
                : 'not cleanly'
              : `${momentText(one.endedAt)}${one.endState ? `, ${one.endState}` : ''}`,
            fixed(one.orders, 0),
            fixed(one.accepted, 0),
            <Amounts key="closed" of={one.closed} />,
            fixed(one.decisions, 0),
            <a
              key="report"
              href={`/api/runs/${encodeURIComponent(one.run)}/report`}
              target="_blank"
              rel="noopener"
              aria-label={`Open the report of ${one.run}`}
            >
              open
            </a>,
            <a key="replay" href={`/?replay=${encodeURIComponent(one.run)}`} aria-label={`Replay ${one.run}`}>
              replay
            </a>,
            <Compare key="compare" run={one.run} picked={picked} onPick={setPicked} />,
          ],
        }))}
      />
      <h3>Reports</h3>
      <Backtest />
      {reports.length === 0 ? (
        <Nothing>Reports of backtests, sweeps and the schedule appear here. Start one from an opened strategy.</Nothing>
      ) : (
        <ul class="reports">
          {reports.map(({ name, at, bytes }) => (
            <li key={name}>
              <a href={`/api/reports/${encodeURIComponent(name)}`} target="_blank" rel="noopener">
                {name}
              </a>{' '}
              <small>
                {momentText(at)}, {fixed(bytes / 1000, 0)} kB
              </small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A run is picked by its button, the present one at first; each other one leads to both side by side. */
function Compare({
  run,
  picked,
  onPick,
}: {
  readonly run: string;
  readonly picked: string | null;
  readonly onPick: (run: string | null) => void;
}) {
  if (picked === null || picked === run) {
    return (
      <button
        type="button"
        class="link whole"
        aria-pressed={picked === run}
        aria-label={picked === run ? `Compare ${run} with \u2026` : `Compare ${run}`}
        onClick={() => onPick(picked === run ? null : run)}
      >
        {picked === run ? 'with \u2026' : 'compare'}
      </button>
    );
  }
  const runs = [picked, run].map(encodeURIComponent).join(',');
  return (
    <a class="whole" href={`/api/compare?runs=${runs}`} target="_blank" rel="noopener" aria-label={`Compare ${picked} with this, ${run}`}>
      with this
    </a>
  );
}
