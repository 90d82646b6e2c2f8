import { VirtualTimeScheduler } from 'rxjs';

/** A scheduler whose time is what a test says. */
export function engineTime(): { now: number; readonly scheduler: VirtualTimeScheduler } {
  const scheduler = new VirtualTimeScheduler();
  const time = { now: 0, scheduler };
  scheduler.now = () => time.now;
  return time;
}
