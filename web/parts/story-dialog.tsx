import type { OrderStoryView } from '#server/page/history-view.ts';
import { useCharts } from '../charts/late.tsx';
import { useLookedUp } from '../live/looked-up.ts';
import { orderShown } from '../live/order-shown.ts';
import { useStore } from '../live/store.ts';
import { Dialog } from './dialog.tsx';
import { Nothing } from './section.tsx';

/** The story of one order. */
export function StoryDialog() {
  const order = useStore(orderShown);
  return order === null ? null : <Story key={order} order={order} />;
}

function Story({ order }: { readonly order: string }) {
  const found = useLookedUp<OrderStoryView>(`/api/orders/${encodeURIComponent(order)}`);
  const charts = useCharts();
  return (
    <Dialog title={`Order ${order}`} onClose={() => orderShown.set(null)}>
      {found === null && <Nothing>Reading the journal.</Nothing>}
      {found !== null && found.kind !== 'done' && <p role="alert">{found.why}</p>}
      {found?.kind === 'done' && (typeof charts === 'string' ? <Nothing>{charts}</Nothing> : <charts.StoryTold story={found.body} />)}
    </Dialog>
  );
}
