import { acceptNotification } from '../acts/acts.ts';
import { model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { ActButton } from './act-button.tsx';
import { Badge } from './badge.tsx';
import { Moment } from './moment.tsx';
import { Nothing } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [{ title: 'received' }, { title: 'type' }, { title: 'state' }, { title: 'what' }, { title: 'accept' }];

const MAX_SHOWN = 30;

/** Webhooks of the service, with those that wait for a person. */
export function Notifications() {
  const past = useStore(model.past);
  if (past === null) return <Nothing>Reading the journal.</Nothing>;
  const all = past.notifications;
  return (
    <>
      {all.length === 0 ? (
        <Nothing>Webhooks of the service, such as deposits, appear here as they are received.</Nothing>
      ) : (
        <Table
          caption="Notifications"
          columns={COLUMNS}
          rows={all.slice(0, MAX_SHOWN).map((one) => ({
            key: `${one.id} ${one.status}`,
            alarm: one.status === 'late' || one.status === 'conflict',
            cells: [
              <Moment key="at" at={one.receivedAt} />,
              one.type,
              <Badge key="state" tone={one.status === 'booked' ? 'good' : 'warn'}>
                {one.status.replaceAll('_', ' ')}
              </Badge>,
              one.words,
              one.status === 'late' && (
                <ActButton key="accept" asked={() => acceptNotification(one)} label="Accept…" name={`Accept ${one.id}`} />
              ),
            ],
          }))}
        />
      )}
    </>
  );
}
