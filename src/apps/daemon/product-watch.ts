import { productText } from '#apps/assembly/assemble.ts';
import { quotedProducts } from '#apps/assembly/service.ts';
import { productChanges } from '#core/engine/product-changes.ts';
import { messageOf } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Product } from '#domain/product.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import type { RunResources } from './opening.ts';

/** How often the service's list of products is read again. */
const EVERY_MS = 60_000;

interface ProductWatch {
  readonly timers: Pick<Timers, 'every'>;
  readonly notice: Notice;
  readonly post: (event: InboxEvent) => void;
}

/**
 * Reads the service's list of products again and again, beside trading, and posts it when it is another than before, and once more
 * at the next look, which bears it out or not (F19). Returns how to end that.
 */
export function watchProducts({ service, products }: Pick<RunResources, 'service' | 'products'>, watch: ProductWatch): () => void {
  const { timers, notice, post } = watch;
  let known = byCode(products);
  let wasOther = false;
  let reading = false;
  let ended = false;
  const poll = async (): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      const listed = await quotedProducts(service.client);
      if (listed.length === 0 && known.size > 0) {
        notice('warn', 'the service lists no products any more; the list that is known stands until it does');
        return;
      }
      const isOther = productChanges(known, listed).length > 0 || listed.some(({ code }) => !known.has(code));
      if (ended || !(isOther || wasOther)) return;
      wasOther = isOther;
      known = byCode(listed);
      post({ kind: 'products', products: listed.map(productText) });
    } catch (error) {
      // Trading goes on by the list that is known; the next look comes soon.
      if (!ended) notice('warn', `the list of products could not be read again: ${messageOf(error)}`);
    } finally {
      reading = false;
    }
  };
  const stop = timers.every(EVERY_MS, poll);
  return () => {
    ended = true;
    stop();
  };
}

const byCode = (products: readonly Product[]) => new Map(products.map((product) => [product.code, product]));
