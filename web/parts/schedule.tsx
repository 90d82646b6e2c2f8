import { runLine } from '../acts/acts.ts';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { useNow } from '../live/ticking.ts';
import { awayText, momentText } from '../words/times.ts';
import { ActButton } from './act-button.tsx';
import { Badge } from './badge.tsx';
import { Nothing } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [{ title: 'name' }, { title: 'action' }, { title: 'when' }, { title: 'next' }, { title: 'last' }, { title: 'now' }];

/** The lines of the schedule, with the last outcome of each. */
export function Schedule({ told }: { readonly told: LastState }) {
  const past = useStore(model.past);
  const now = useNow(told);
  if (past === null) return <Nothing>Reading the journal.</Nothing>;
  const lines = past.schedule;
  return (
    <>
      {lines.length === 0 ? (
        <Nothing>The schedule is empty. Each line of schedule[] appears here with its next and its last time.</Nothing>
      ) : (
        <Table
          caption="Schedule"
          columns={COLUMNS}
          rows={lines.map((line) => ({
            key: line.name,
            alarm: line.missed,
            cells: [
              line.name,
              line.action,
              `${line.cron} ${line.timezone}`,
              line.next === null ? 'never' : `${momentText(line.next)}, ${awayText(line.next, now)}`,
              <span key="last">
                {line.missed && <Badge tone="bad">missed</Badge>}{' '}
                {line.last ? `${momentText(line.last.dueAt)}: ${line.last.status}` : 'not yet'}
              </span>,
              <ActButton key="now" asked={() => runLine(line)} label="Run now…" name={`Run now… ${line.name}`} />,
            ],
          }))}
        />
      )}
    </>
  );
}
