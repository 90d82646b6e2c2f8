import { useState } from 'preact/hooks';
import type { RemoteStrategiesView, RemoteStrategyView } from '#server/page/remote-view.ts';
import {
  deleteRemote,
  flushRemote,
  pauseAllRemote,
  pauseOpenings,
  pauseRemote,
  resumeAllRemote,
  startRemote,
  stopRemote,
} from '../acts/remote-acts.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { ActButton } from './act-button.tsx';
import { Moment } from './moment.tsx';
import { Named } from './named.tsx';
import { Nothing } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [{ title: 'strategy' }, { title: 'state' }, { title: 'changed' }, { title: 'act' }];

/**
 * The strategies at the service with their state. They are read when this part is opened, when a person asks, and when a
 * request has ended. `ended`: the last such request.
 */
export function RemoteStrategies({ isDry, ended }: { readonly isDry: boolean; readonly ended: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="at-service" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Strategies at the service</summary>
      {isOpen && <AtService isDry={isDry} ended={ended} />}
    </details>
  );
}

function AtService({ isDry, ended }: { readonly isDry: boolean; readonly ended: string }) {
  const [reads, setReads] = useState(0);
  const found = useLookedUp<RemoteStrategiesView>('/api/remote', `${reads} ${ended}`);
  const list = found?.kind === 'done' ? found.body : null;
  const why = list?.why ?? (found !== null && found.kind !== 'done' ? found.why : null);
  return (
    <>
      <p class="tools">
        <button type="button" class="act" onClick={() => setReads(reads + 1)}>
          Read again
        </button>
        {!isDry && (
          <>
            <ActButton asked={pauseAllRemote} label="Pause all…" name="Pause all strategies at the service" />
            <ActButton asked={resumeAllRemote} label="Resume all…" name="Resume all strategies at the service" />
          </>
        )}
        {list !== null && (
          <span>
            read <Moment at={list.at} />
          </span>
        )}
      </p>
      {isDry && <p class="note">A dry run changes nothing at real strategies: it only reads them.</p>}
      {why !== null && (
        <p class="failed" role="alert">
          {why}
        </p>
      )}
      {found === null && <Nothing>Asking the service.</Nothing>}
      {list !== null && why === null && list.strategies.length === 0 && (
        <Nothing>The account has no strategy at the service. `kairos remote create` makes one.</Nothing>
      )}
      {list !== null && list.strategies.length > 0 && (
        <Table
          caption="Strategies at the service"
          columns={COLUMNS}
          rows={list.strategies.map((one) => ({ key: one.id, cells: cellsOf(one, isDry) }))}
        />
      )}
    </>
  );
}

const cellsOf = ({ id, state, params, changedAt }: RemoteStrategyView, isDry: boolean) => [
  <code key="id">{id}</code>,
  <span key="state">
    <Named values={state} />
    {params.length > 0 && (
      <details>
        <summary>parameters</summary>
        <Named values={params} />
      </details>
    )}
  </span>,
  changedAt === null ? '\u2013' : <Moment key="changed" at={changedAt} />,
  !isDry && (
    <span key="acts" class="tools">
      <ActButton asked={() => startRemote(id)} label="Start…" name={`Start ${id}`} />
      <ActButton asked={() => pauseRemote(id)} label="Pause…" name={`Pause ${id}`} />
      <ActButton asked={() => pauseOpenings(id)} label="Pause openings…" name={`Pause openings of ${id}`} />
      <ActButton asked={() => flushRemote(id)} label="Flush…" name={`Flush ${id}`} />
      <ActButton asked={() => stopRemote(id)} label="Stop…" name={`Stop ${id}`} />
      <ActButton asked={() => deleteRemote(id)} label="Delete…" name={`Delete ${id}`} />
    </span>
  ),
];
