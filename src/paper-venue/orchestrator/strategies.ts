import type Database from 'better-sqlite3';
import { type Decimal, decimalOf, floorToStep } from '#domain/decimal.ts';
import { messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { VenueMarket as Prices } from '#paper-venue/market.ts';
import type { AccountStore } from '#paper-venue/store/account-store.ts';
import { StrategyStore } from '#paper-venue/store/strategy-store.ts';
import type { Timers } from '#ports/timers.ts';
import { AMOUNTS, isAtWork, stepOf } from './execution.ts';
import type { StrategyRecord, StrategyStatus, UserFields } from './record.ts';
import { TRADABLES, type Tradable } from './tradables.ts';

interface StrategiesParts {
  readonly db: Database.Database;
  readonly accounts: AccountStore;
  readonly timers: Timers;
  readonly prices: Prices;
  readonly seed: string;
  readonly stepMs: number;
  readonly feePercentage: number;
  readonly log: (line: string) => void;
}

/** The fields of a new strategy; all others start empty. */
export type NewStrategy = Pick<StrategyRecord, 'owner' | 'strategyType' | 'accountId' | 'productCode' | 'fields'> & {
  readonly autoRun: boolean;
};

/**
 * The service's own strategies and their simulated execution, which moves positions and account balances, one step each
 * `stepMs`. Every change is on the disk when its method returns; a step that cannot be committed is done at the next.
 */
export class Strategies {
  private readonly parts: StrategiesParts;
  private readonly store: StrategyStore;
  private readonly records = new Map<string, StrategyRecord>();
  private readonly children = new Set<string>();
  private readonly stopSteps: () => void;
  private last = 0;

  constructor(parts: StrategiesParts) {
    this.parts = parts;
    this.store = new StrategyStore(parts.db);
    for (const record of this.store.load()) this.keep(record);
    this.stopSteps = parts.timers.every(parts.stepMs, () => this.step());
  }

  create(made: NewStrategy): StrategyRecord {
    const { timers } = this.parts;
    const { autoRun, ...rest } = made;
    const record: StrategyRecord = {
      ...rest,
      number: this.last + 1,
      strategyId: timers.uuid(),
      childId: timers.uuid(),
      status: autoRun ? 'ACTIVE' : 'CREATED',
      version: 1,
      eventTime: isoTime(timers.wallMs()),
      openingPause: null,
      flushTo: null,
      capacity: null,
      long: '0',
      short: '0',
      steps: 0,
    };
    this.store.save(record);
    this.keep(record);
    return record;
  }

  /** The owner's root strategies, oldest first. */
  of(owner: string): readonly StrategyRecord[] {
    return [...this.records.values()].filter((record) => record.owner === owner);
  }

  /** A strategy by its id: a root, a child, or undefined. */
  find(owner: string, id: string): StrategyRecord | 'child' | undefined {
    const record = this.records.get(id);
    if (record?.owner === owner) return record;
    return this.children.has(id) ? 'child' : undefined;
  }

  setStatus(record: StrategyRecord, status: StrategyStatus): void {
    if (record.status === status) return;
    this.change(record, { status, ...(status === 'STOPPED' && { flushTo: null }) });
  }

  /** Applies changes to the fields that users set. */
  modify(record: StrategyRecord, changes: UserFields): void {
    const capacity = AMOUNTS.some((field) => field in changes) ? null : record.capacity;
    this.change(record, { fields: { ...record.fields, ...changes }, capacity });
  }

  pauseOpenings(record: StrategyRecord, from: string, to: string): void {
    this.change(record, { openingPause: { from, to } });
  }

  /** Records a flush, which the next step does. `keep` is in percent of the present position. */
  flush(record: StrategyRecord, keep: { readonly long: number; readonly short: number }): void {
    const { sizeIncrement } = this.tradableOf(record);
    const kept = (position: string, percent: number) =>
      percent === 100 ? position : floorToStep(decimalOf(position).times(percent).div(100), sizeIncrement).toString();
    this.change(record, { flushTo: { long: kept(record.long, keep.long), short: kept(record.short, keep.short) } });
  }

  delete(record: StrategyRecord): void {
    this.store.delete(record);
    this.records.delete(record.strategyId);
    this.children.delete(record.childId);
  }

  /** The present price of a product; undefined if it is not quoted. */
  midOf({ pricedAs }: Tradable): Decimal | undefined {
    const mid = this.parts.prices.midPrice(pricedAs);
    return mid === undefined ? undefined : decimalOf(mid);
  }

  close(): void {
    this.stopSteps();
  }

  private keep(record: StrategyRecord): void {
    this.records.set(record.strategyId, record);
    this.children.add(record.childId);
    this.last = Math.max(this.last, record.number);
  }

  private tradableOf({ productCode }: StrategyRecord): Tradable {
    const tradable = TRADABLES.get(productCode);
    if (!tradable) throw new Error(`the product ${productCode} of a strategy is not listed any more`);
    return tradable;
  }

  private change(record: StrategyRecord, changes: Partial<StrategyRecord>): void {
    const eventTime = isoTime(this.parts.timers.wallMs());
    const changed = { ...record, ...changes, version: record.version + 1, eventTime };
    this.store.save(changed);
    this.records.set(record.strategyId, changed);
  }

  private step(): void {
    const working = [...this.records.values()].filter(isAtWork);
    if (working.length === 0) return;
    const step = this.parts.db.transaction(() => {
      const stepped = working.map((record) => this.stepOne(record));
      for (const record of stepped) this.store.save(record);
      return stepped;
    });
    try {
      for (const record of step.immediate()) this.records.set(record.strategyId, record);
    } catch (error) {
      this.parts.log(`strategies: this step could not be saved, so the next does it: ${messageOf(error)}`);
    }
  }

  /** The strategy after one step. A trade without sufficient balance is skipped; such a flush ends. */
  private stepOne(record: StrategyRecord): StrategyRecord {
    const { timers, seed, accounts, feePercentage } = this.parts;
    const tradable = this.tradableOf(record);
    const mid = this.midOf(tradable);
    if (!mid) return record;
    const trade = stepOf(record, { tradable, mid, nowMs: timers.wallMs(), seed });
    const after = { ...record, flushTo: null, steps: record.steps + 1 };
    if (!trade) return after;
    const value = trade.size.times(mid);
    const paid = value.plus(value.abs().times(feePercentage).div(100)).toDecimalPlaces(8).negated();
    const short = (currency: string, amount: Decimal) => accounts.balance(record.accountId, currency).plus(amount).isNegative();
    if (short(tradable.baseCcy, trade.size) || short(tradable.quoteCcy, paid)) return after;
    accounts.add(record.accountId, tradable.baseCcy, trade.size);
    accounts.add(record.accountId, tradable.quoteCcy, paid);
    return {
      ...after,
      long: trade.long.toString(),
      short: trade.short.toString(),
      capacity: trade.capacity.toString(),
      eventTime: trade.size.isZero() ? record.eventTime : isoTime(timers.wallMs()),
    };
  }
}
