import type { OrderStoryView } from '#server/page/history-view.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { Store, useStore } from '../live/store.ts';
import { Dialog } from './dialog.tsx';
import { Nothing } from './section.tsx';

const storyStore = new Store<string | null>(null);

export const showStory = (order: string): void => storyStore.set(order);

/** The story of one order: its decision, its checks, the service's answer, and what was booked. */
export function StoryDialog() {
  const order = useStore(storyStore);
  return order === null ? null : <Story key={order} order={order} />;
}

function Story({ order }: { readonly order: string }) {
  const found = useLookedUp<OrderStoryView>(`/api/orders/${encodeURIComponent(order)}`);
  return (
    <Dialog title={`Order ${order}`} onClose={() => storyStore.set(null)}>
      {found === null && <Nothing>Reading the journal.</Nothing>}
      {found !== null && found.kind !== 'done' && <p role="alert">{found.why}</p>}
      {found?.kind === 'done' && (
        <dl class="story">
          {found.body.lines.map(({ about, text }, n) => (
            <div key={`${n} ${about}`}>
              <dt>{about}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  );
}
