import { test } from 'vitest';
import { benchBacktest } from '../../bench/backtest.ts';
import { expectWhole } from './whole.ts';

// The sweep has what the daemon leaves of the processor: beside other tests it waits for minutes.
test('backtest: orders go out beside a sweep', async () => expectWhole(await benchBacktest({ quick: true })));
