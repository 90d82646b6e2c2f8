import type { PositionView, View } from '#core/strategy/contract.ts';
import { readReturned } from '#core/strategy/intents.ts';
import type { Intent } from '#domain/intent.ts';
import { ScreenRefusal } from './screen-refusal.ts';

/** What a strategy looks at that is the same whenever so much is held. */
const OF_SIZE: ReadonlySet<PropertyKey> = new Set(['size', 'low', 'high', 'isFlat', 'isLong', 'isShort']);
const OF_VIEW: ReadonlySet<PropertyKey> = new Set(['position', 'amount', 'product', 'canShort', 'inFlight', 'lanes', 'quote', 'quotes']);

/** Notes whether more of a view is looked at than how much is held, and the quote, which notes that itself; and what the screen does not know of it. */
export class ViewProbe {
  hasReadMore = false;
  /** What was asked for and is not known: kept, as the strategy may catch it. */
  refused: ScreenRefusal | undefined;
  private seen: { readonly view: View; readonly tracked: View } | undefined;

  /** The same view, whose reader is noted. */
  of(view: View): View {
    if (this.seen?.view !== view) this.seen = { view, tracked: this.tracked(view, OF_VIEW, this.tracked(view.position, OF_SIZE)) };
    return this.seen.tracked;
  }

  /** Throws. */
  refuse(what: string): never {
    this.refused ??= new ScreenRefusal(what);
    throw this.refused;
  }

  private tracked<Of extends object>(of: Of, same: ReadonlySet<PropertyKey>, position?: PositionView): Of {
    return new Proxy(of, {
      get: (target, name) => {
        if (name === 'random') this.refuse('view.random()');
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

/** The one intent that `decide` returned; undefined where it does nothing. */
export function intentIn(answered: unknown): Intent | undefined {
  const returned = readReturned(answered);
  if (returned.kind === 'nothing' || returned.kind === 'hold') return undefined;
  const [intent, other] = returned.kind === 'intents' ? returned.intents : [];
  if (intent === undefined) throw new ScreenRefusal('a decision that nobody can act on');
  if (other !== undefined || intent.on !== null) throw new ScreenRefusal('several legs');
  if (intent.limit !== null) throw new ScreenRefusal('a limit price');
  return intent;
}
