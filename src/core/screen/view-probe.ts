import type { PositionView, View } from '#core/strategy/contract.ts';
import { readReturned } from '#core/strategy/strategy-answer.ts';
import type { Intent } from '#domain/intent.ts';
import type { Outcome } from '#domain/outcome.ts';
import { ScreenRefusal } from './screen-refusal.ts';

/** What the engine tells of the last order, which the screen does not know in each part. */
export const UNKNOWN_LAST: Outcome = new Proxy<Outcome>(
  { at: 0, state: 'accepted', reason: null, side: 'buy', orderId: undefined, price: undefined, size: undefined },
  {
    get: () => {
      throw new ScreenRefusal('view.last');
    },
  },
);

/** What a strategy looks at that is the same whenever so much is held. */
const OF_SIZE: ReadonlySet<PropertyKey> = new Set(['size', 'low', 'high', 'isFlat', 'isLong', 'isShort']);
const OF_VIEW: ReadonlySet<PropertyKey> = new Set(['position', 'amount', 'product', 'canShort', 'inFlight', 'lanes', 'quote', 'quotes']);

/** Notes whether more of a view is looked at than how much is held, and the quote, which notes that itself. */
export class ViewProbe {
  hasReadMore = false;
  private seen: { readonly view: View; readonly tracked: View } | undefined;

  /** The same view, whose reader is noted. */
  of(view: View): View {
    if (this.seen?.view !== view) this.seen = { view, tracked: this.tracked(view, OF_VIEW, this.tracked(view.position, OF_SIZE)) };
    return this.seen.tracked;
  }

  private tracked<Of extends object>(of: Of, same: ReadonlySet<PropertyKey>, position?: PositionView): Of {
    return new Proxy(of, {
      get: (target, name) => {
        if (!same.has(name)) this.hasReadMore = true;
        return name === 'position' && position !== undefined ? position : Reflect.get(target, name);
      },
      ownKeys: (target) => {
        this.hasReadMore = true;
        return Reflect.ownKeys(target);
      },
    });
  }
}

/** The one intent of a decision; undefined where it does nothing. What a strategy throws is for the engine to tell. */
export function intentIn(decide: () => unknown): Intent | undefined {
  const returned = readReturned(decided(decide));
  if (returned.kind === 'nothing' || returned.kind === 'hold') return undefined;
  const [intent, other] = returned.kind === 'intents' ? returned.intents : [];
  if (intent === undefined) throw new ScreenRefusal('a decision that nobody can act on');
  if (other !== undefined || intent.on !== null) throw new ScreenRefusal('several legs');
  if (intent.limit !== null) throw new ScreenRefusal('a limit price');
  return intent;
}

function decided(decide: () => unknown): unknown {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ScreenRefusal ? error : new ScreenRefusal('a decide that throws');
  }
}
