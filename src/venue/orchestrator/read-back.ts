import type { z } from 'zod';
import type { FOUND } from './bodies.ts';
import type { StrategyRecord } from './record.ts';

/** Version of the execution that this file belongs to, for `engineVer`. */
const ENGINE_VERSION = 1;

/** A strategy as `find` shows it; the keys inside `state` are our own choice (notes, "Strategies"). */
export function foundOf(record: StrategyRecord): z.infer<typeof FOUND> {
  const { openingPause, flushTo } = record;
  return {
    strategyId: record.strategyId,
    version: record.version,
    engineVer: ENGINE_VERSION,
    eventTime: record.eventTime,
    state: {
      status: record.status,
      strategyType: record.strategyType,
      accountId: record.accountId,
      productCode: record.productCode,
      longPosition: record.long,
      shortPosition: record.short,
      flushing: String(flushTo !== null),
      children: record.childId,
      ...(openingPause && { openingPauseFrom: openingPause.from, openingPauseTo: openingPause.to }),
    },
    uiParams: Object.fromEntries(Object.entries(record.fields).map(([name, value]) => [name, { value }])),
    uiData: '',
  };
}
