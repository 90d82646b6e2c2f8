import type { OrderCheckView } from '#server/page/order-check.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { useEveryTick } from '../live/ticking.ts';
import { amount, exact } from '../words/numbers.ts';

/** How often the preview is reloaded, in milliseconds. */
const EVERY_MS = 1_000;

/** The present cost of an order and the result of the checks, while it is being filled in. Sends no order. */
export function OrderPreview({ path }: { readonly path: string | null }) {
  const tick = useEveryTick(EVERY_MS);
  const found = useLookedUp<OrderCheckView>(path, tick);
  if (path === null) return <p class="preview">Price, cost and fee appear here once the size does.</p>;
  if (found === null) return <p class="preview">Asking for a price.</p>;
  if (found.kind !== 'done') return <p class="preview">{found.why}</p>;
  const { why, price, value, fee, feeCcy, currency, lane, refused, checks } = found.body;
  if (why !== null) return <p class="preview">{why}</p>;
  return (
    <div class="preview" aria-live="polite">
      {price !== null && (
        <dl>
          <div>
            <dt>price</dt>
            <dd>{exact(price)}</dd>
          </div>
          <div>
            <dt>cost</dt>
            <dd>{amount(value, currency)}</dd>
          </div>
          <div>
            <dt>fee</dt>
            <dd>{amount(fee, feeCcy)}</dd>
          </div>
        </dl>
      )}
      {refused === null ? (
        <p class="good">All {checks} checks would let it pass.</p>
      ) : (
        <p class="bad">
          It would be refused: {refused.words} ({refused.reason}).
        </p>
      )}
      <small>At the latest quote of {lane}; the order itself takes one for its own size.</small>
    </div>
  );
}
