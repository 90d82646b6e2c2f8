import type { WaitingView } from '#server/page/view.ts';
import { exact } from './numbers.ts';
import { awayText } from './times.ts';

/** What a strategy waits for, as in `waiting: leg 2 of 3, buy 0.01 base of btcusd: cheap; lapses in 3 s; tried 2 times, last: ..`. */
export function waitingText(
  { leg, of, wants, product, why, limit, until, attempts, last, lastWords, order }: WaitingView,
  nowMs: number,
): string {
  const parts = [
    `${order === null ? 'waiting' : `order ${order} on its way`}: ${of > 1 ? `leg ${leg} of ${of}, ` : ''}${wants} of ${product}${
      limit === null ? '' : ` at ${exact(limit)} at worst`
    }: ${why}`,
    ...(until === null ? [] : [`lapses ${awayText(until, nowMs)}`]),
    ...(attempts === 0 ? [] : [attempts === 1 ? 'tried once' : `tried ${attempts} times`]),
  ];
  const said = lastWords ?? last?.replaceAll('_', ' ');
  return `${parts.join('; ')}${said === undefined || order !== null ? '' : `, last: ${said}`}`;
}
