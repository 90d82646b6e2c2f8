import type { RemoteActionView } from '../../src/ops/page/past-view.ts';
import { model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { momentText } from '../words/times.ts';
import { Badge, type Tone } from './badge.tsx';
import { Nothing, Section } from './section.tsx';
import { Table } from './table.tsx';

const COLUMNS = [{ title: 'asked at' }, { title: 'what' }, { title: 'of' }, { title: 'came to' }, { title: 'answer' }];

const TONES: Readonly<Record<string, Tone>> = {
  confirmed: 'good',
  asked: 'even',
  skipped: 'warn',
  unverified: 'warn',
  unknown: 'bad',
  failed: 'bad',
};

const MOST_SHOWN = 30;

/** What was asked of the service's own strategies: an answer of 202 means asked, and only what was read back is confirmed. */
export function Remote() {
  const past = useStore(model.past);
  const actions = past?.remote ?? [];
  return (
    <Section id="remote" title="Remote strategies">
      {actions.length === 0 ? (
        <Nothing>What is asked of the service's own strategies stands here: asked, confirmed, or not verified.</Nothing>
      ) : (
        <Table
          caption="What was asked of the service's own strategies"
          columns={COLUMNS}
          rows={actions.slice(0, MOST_SHOWN).map((one) => ({ key: one.actionId, alarm: TONES[one.status] === 'bad', cells: cellsOf(one) }))}
        />
      )}
    </Section>
  );
}

const cellsOf = ({ askedAt, name, action, arguments: said, status, response }: RemoteActionView) => [
  momentText(askedAt),
  name === action ? action : `${name}: ${action}`,
  said,
  <Badge key="status" tone={TONES[status] ?? 'even'}>
    {status}
  </Badge>,
  response,
];
