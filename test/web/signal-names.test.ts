import { expect, test } from 'vitest';
import type { ChartFill, ChartSignal } from '#server/page/history-view.ts';
import { signalNames } from '../../web/charts/signal-names.ts';

const signal = (strategy: string, name: string): ChartSignal => ({ strategy, name, isWhole: true, points: [] });
const fillOf = (strategy: string): ChartFill => ({ at: 0, side: 'buy', price: 100, size: '1', order: '1-1', strategy, closed: null });
const trend = [signal('trend', 'fast'), signal('trend', 'slow')];
const named = (signals: readonly ChartSignal[], fills: readonly ChartFill[]) => trend.map(signalNames({ signals, fills }));

test('a line says whose it is where several strategies draw, be it only marks', () => {
  expect(named(trend, [])).toEqual(['fast', 'slow']);
  expect(named(trend, [fillOf('trend')])).toEqual(['fast', 'slow']);
  expect(named(trend, [fillOf('flip')])).toEqual(['trend fast', 'trend slow']);
  expect(named([...trend, signal('other', 'rsi')], [])).toEqual(['trend fast', 'trend slow']);
});
