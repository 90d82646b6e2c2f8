import type { RemoteActionView } from '#server/page/past-view.ts';
import type { NamedText } from '#server/page/remote-view.ts';
import { settleCreate } from '../acts/remote-acts.ts';
import { type LastState, model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { remoteTone } from '../words/remote.ts';
import { ActButton } from './act-button.tsx';
import { Badge } from './badge.tsx';
import { Moment } from './moment.tsx';
import { Named } from './named.tsx';
import { RemoteStrategies } from './remote-strategies.tsx';
import { Nothing } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [{ title: 'asked at' }, { title: 'what' }, { title: 'of' }, { title: 'came to' }, { title: 'answer' }];

const MAX_SHOWN = 30;

/** The service's own strategies and the requests to them: an answer of 202 means asked, and only what was read back is confirmed. */
export function Remote({ told }: { readonly told: LastState }) {
  const past = useStore(model.past);
  const actions = past?.remote ?? [];
  const ended = actions.find(({ status }) => status !== 'asked');
  return (
    <>
      <RemoteStrategies isDry={!told.state.sendsOrders} ended={ended ? `${ended.actionId} ${ended.status}` : ''} />
      <h3>What was asked of them</h3>
      {actions.length === 0 ? (
        <Nothing>
          {past === null
            ? 'Reading the journal.'
            : "Requests to the service's own strategies appear here: asked, confirmed, or not verified."}
        </Nothing>
      ) : (
        <Table
          caption="Requests to the service's own strategies"
          columns={COLUMNS}
          rows={actions
            .slice(0, MAX_SHOWN)
            .map((one) => ({ key: one.actionId, alarm: remoteTone(one.status) === 'bad', cells: cellsOf(one) }))}
        />
      )}
    </>
  );
}

const cellsOf = (one: RemoteActionView) => [
  <Moment key="at" at={one.askedAt} />,
  <span key="what" class="whole">
    {one.action.replace('remote.', '')} <small>{one.name}</small>
  </span>,
  <Named key="of" values={namedIn(one.arguments)} />,
  <Badge key="status" tone={remoteTone(one.status)}>
    {one.status}
  </Badge>,
  isLost(one) ? (
    <span key="answer">
      {one.response}{' '}
      <span class="tools">
        <ActButton asked={() => settleCreate(one, true)} label="It was created…" name={`Create ${one.actionId} left a strategy`} />
        <ActButton asked={() => settleCreate(one, false)} label="It was not…" name={`Create ${one.actionId} left nothing`} />
      </span>
    </span>
  ) : (
    one.response
  ),
];

/** A create whose answer did not come. */
const isLost = ({ action, status }: RemoteActionView): boolean => action === 'remote.create' && status === 'unknown';

/** The arguments of a request, from its JSON; each field of a group has its own name. */
function namedIn(json: string): readonly NamedText[] {
  return Object.entries(JSON.parse(json) as Readonly<Record<string, unknown>>).flatMap(named);
}

function named([name, value]: readonly [string, unknown]): readonly NamedText[] {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(named);
  return [{ name, text: String(value) }];
}
