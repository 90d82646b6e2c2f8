import type { RequestPractice } from '#adapters/service/orders/order-practice.ts';
import type { OrderPractice } from '#apps/assembly/order-practice.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** Before the first quote: the first real order takes half as long, for a tenth of a second of the start. */
export const ORDERS_AT_START = 100;
/** The first real order is dispatched in a tenth of the time, for some 50 ms of a start. */
export const REQUESTS_AT_START = 20;
/** After these an order takes the engine a third of the time that it took after a hundred. */
const ORDERS_LATER = 1500;
/** One request after so many orders: its code is as quick as it gets after a hundred. */
const ORDERS_A_REQUEST = 5;
/** A try holds the thread for half a millisecond or less: three hundredths of a core for the first half minute. */
const EVERY_MS = 20;

/** What orders are practised with. */
export interface Practice {
  readonly orders: Pick<OrderPractice, 'play' | 'close'>;
  /** Null where no order is ever sent. */
  readonly requests: Pick<RequestPractice, 'play'> | null;
}

/** Goes on practising beside the run, one order at a time, until their code is as quick as it gets. Its own errors end it, and nothing else. */
export function goOnPractising(
  { orders, requests }: Practice,
  { timers, notice }: { readonly timers: Pick<Timers, 'every'>; readonly notice: Notice },
): Cancel {
  let left = ORDERS_LATER;
  const end = () => {
    cancel();
    orders.close();
  };
  const failed = (error: unknown) => {
    if (left <= 0) return;
    left = 0;
    end();
    notice('warn', `orders are no longer practised beside the run: ${messageOf(error)}`);
  };
  const cancel = timers.every(EVERY_MS, () => {
    left -= 1;
    try {
      orders.play(1);
    } catch (error) {
      return failed(error);
    }
    if (left % ORDERS_A_REQUEST === 0) requests?.play(1).catch(failed);
    if (left === 0) end();
  });
  return end;
}
