import { messageOf } from '../../domain/errors.ts';
import type { Cancel, Timers } from '../../ports/timers.ts';
import type { OrderPractice } from '../engine/order-practice.ts';
import type { Notice } from '../notice.ts';

/** Before the first quote: the first real order takes half as long, for a tenth of a second of the start. */
export const PRACTISED_AT_START = 100;
/** After these an order takes the engine a third of the time that it took after a hundred. */
const LATER = 1500;
/** A try holds the thread for half a millisecond or less: two hundredths of a core for the first half minute. */
const EVERY_MS = 20;

/** Goes on practising orders beside the run, one at a time, until their code is as quick as it gets. Its own errors end it, and nothing else. */
export function goOnPractising(
  practice: Pick<OrderPractice, 'play' | 'close'>,
  { timers, notice }: { readonly timers: Pick<Timers, 'every'>; readonly notice: Notice },
): Cancel {
  let left = LATER;
  const cancel = timers.every(EVERY_MS, () => {
    left -= 1;
    try {
      practice.play(1);
    } catch (error) {
      left = 0;
      notice('warn', `orders are no longer practised beside the run: ${messageOf(error)}`);
    }
    if (left === 0) end();
  });
  const end = () => {
    cancel();
    practice.close();
  };
  return end;
}
