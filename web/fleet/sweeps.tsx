import type { SweepsView, SweepView } from '#server/fleet/view.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Badge } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';
import { fixed, money } from '../words/numbers.ts';
import { momentText } from '../words/times.ts';
import { sweepAsk } from './sweep-asks.ts';

const GOING = [
  { title: 'sweep' },
  { title: 'state' },
  { title: 'round', isFigure: true },
  { title: 'trials', isFigure: true },
  { title: 'workers', isFigure: true },
  { title: 'earned most so far' },
  { title: 'acts' },
];
const OVER = [{ title: 'sweep' }, { title: 'ended' }, { title: 'how' }, { title: 'trials', isFigure: true }, { title: 'earned most' }];
const WORKERS = [{ title: 'worker' }, { title: 'Kairos' }, { title: 'plays' }, { title: 'trials', isFigure: true }];

/** The sweeps of a queue: how far each is, what earned most so far, and how to pause, resume and stop it. */
export function Sweeps({ sweeps: { place, why, sweeps, workers, ended } }: { readonly sweeps: SweepsView }) {
  return (
    <section class={`sweeps${why === null ? '' : ' urgent'}`} aria-label="Sweeps">
      <div class="head">
        <h2>Sweeps</h2>
        <small>{place}</small>
      </div>
      {why !== null && <p class="bad">Nothing newer is known of the queue: {why}.</p>}
      {sweeps.length === 0 ? (
        <p class="nothing">No sweep is played on this queue.</p>
      ) : (
        <Table caption="Sweeps that go on" columns={GOING} rows={sweeps.map(rowOf)} />
      )}
      <h3>Workers</h3>
      {workers.length === 0 ? (
        <p class="nothing">No worker waits for jobs.</p>
      ) : (
        <Table
          caption="Workers of the queue"
          columns={WORKERS}
          rows={workers.map(({ worker, version, sweeps: plays, trials }) => ({
            key: worker,
            cells: [worker, version, plays.join(' ') || 'nothing', fixed(trials, 0)],
          }))}
        />
      )}
      {ended.length > 0 && (
        <>
          <h3>Ended within a week</h3>
          <Table
            caption="Sweeps that have ended"
            columns={OVER}
            rows={ended.map(({ sweep, host, at, how, played, best }) => ({
              key: sweep,
              cells: [<Named key="named" sweep={sweep} host={host} />, momentText(at), how, fixed(played, 0), bestText(best)],
            }))}
          />
        </>
      )}
    </section>
  );
}

const rowOf = (view: SweepView) => {
  const { sweep, host, paused, finished, wanted, played, best, workers } = view;
  return {
    key: sweep,
    cells: [
      <Named key="named" sweep={sweep} host={host} />,
      paused ? <Badge tone="warn">PAUSED</Badge> : workers === 0 ? <Badge tone="warn">WAITS</Badge> : <Badge tone="good">PLAYS</Badge>,
      <span key="round">
        {`${fixed(finished, 0)} of ${fixed(wanted, 0)} `}
        <progress aria-label={`Round of ${sweep}`} value={finished} max={Math.max(1, wanted)} />
      </span>,
      fixed(played, 0),
      fixed(workers, 0),
      bestText(best),
      <span key="acts" class="tools">
        {paused ? (
          <ActButton asked={() => sweepAsk(view, 'resume')} label="Resume…" name={`Resume ${sweep}`} />
        ) : (
          <ActButton asked={() => sweepAsk(view, 'pause')} label="Pause…" name={`Pause ${sweep}`} />
        )}
        <ActButton asked={() => sweepAsk(view, 'stop')} label="Stop…" name={`Stop ${sweep}`} />
      </span>,
    ],
  };
};

const Named = ({ sweep, host }: { readonly sweep: string; readonly host: string }) => (
  <span class="sweep-name">
    {sweep} <small>{host}</small>
  </span>
);

const bestText = (best: SweepView['best']): string => (best ? `${money(best.netProfit, '')} with ${best.params}` : '\u2013');
