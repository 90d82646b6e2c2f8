import { runThread } from '#adapters/threads/thread.ts';
import { feesTaken } from './fees-taken.ts';
import type { FeesThread } from './fees-thread.ts';

runThread<FeesThread>(({ data, post }) => post(feesTaken(data)));
