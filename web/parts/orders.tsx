import type { ManualTask } from '#domain/manual-request.ts';
import { endOf } from '../acts/acts.ts';
import type { LastState } from '../live/model.ts';
import { showStory } from '../live/order-shown.ts';
import { manualEnd } from '../words/manual-end.ts';
import { amount, exact } from '../words/numbers.ts';
import { ActButton } from './act-button.tsx';
import { Badge } from './badge.tsx';
import { Moment } from './moment.tsx';
import { TaskParts } from './progress.tsx';
import { Nothing } from './section.tsx';
import { SettleButtons } from './settle-buttons.tsx';
import { Table } from './table.tsx';

const COLUMNS = [
  { title: 'order' },
  { title: 'state' },
  { title: 'book' },
  { title: 'what' },
  { title: 'price', isFigure: true },
  { title: 'value', isFigure: true },
  { title: 'since' },
  { title: 'settle' },
];

/** Orders in flight or of unknown outcome, and requests of persons. */
export function Orders({ told: { state } }: { readonly told: LastState }) {
  return (
    <>
      {state.orders.length === 0 ? (
        <Nothing>No order is in flight. An order of unknown outcome stays here until somebody settles it.</Nothing>
      ) : (
        <Table
          caption="Open orders"
          columns={COLUMNS}
          rows={state.orders.map((one) => ({
            key: one.order,
            alarm: one.state === 'unknown',
            cells: [
              <button key="story" type="button" class="link" aria-haspopup="dialog" onClick={() => showStory(one.order)}>
                {one.order}
              </button>,
              <Badge key="state" tone={one.state === 'unknown' ? 'bad' : 'even'}>
                {one.state}
              </Badge>,
              one.strategy,
              `${one.side} ${exact(one.size)} ${one.product}`,
              exact(one.price),
              amount(one.value, one.quoteCcy),
              <Moment key="since" at={one.since} />,
              one.state === 'unknown' && <SettleButtons key="settle" order={one} />,
            ],
          }))}
        />
      )}
      {state.byHand.length > 0 && (
        <>
          <h3>Manual requests</h3>
          <ul class="tasks">
            {[...state.byHand].reverse().map((task) => (
              <Task key={task.id} task={task} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const Task = ({ task }: { readonly task: ManualTask }) => {
  const end = endOf(task);
  return (
    <li>
      <Badge tone={task.refused || manualEnd(task)?.isGood === false ? 'warn' : task.ended ? 'good' : 'even'}>
        {task.refused ? 'refused' : task.ended ? 'ended' : 'under way'}
      </Badge>{' '}
      {task.act}, {task.who}: {task.why}
      {end && <ActButton asked={() => end} label="End…" name={end.title} />}
      <TaskParts task={task} />
    </li>
  );
};
