import { PRODUCTS } from '#lab/simulator/service/products.ts';
import type { Violate } from './finding.ts';
import { NOTHING } from './folded-book.ts';
import type { JournalFold } from './journal-fold.ts';
import type { JournalRow } from './journal-rows.ts';
import type { OrderAtHand, RunSettings } from './reckoned-figures.ts';

/** Checks that the size of an order is what its intent wanted (I11). `coarser`: how much larger the steps of sizes may have been. */
export function checkSize(
  { order_id: id, at, detail: { wants } }: JournalRow,
  of: OrderAtHand,
  by: { coarser: number; violate: Violate },
): void {
  if (typeof wants !== 'string') return;
  const { order, interval, fold } = of;
  const { strategy, product, size } = order;
  const { coarser, violate } = by;
  const { sizePlaces = 0 } = PRODUCTS.find(({ code }) => code === product) ?? {};
  const step = 10 ** -sizePlaces * coarser;
  const [, figure = '', unit = ''] = /^(-?[\d.e+-]+) (base|quote|%)/.exec(wants) ?? [];
  const [, target = ''] = /^target (\S+)$/.exec(wants) ?? [];
  const held = fold.book(strategy, product).size;
  const certain = interval.low > 0 ? interval.low : interval.high < 0 ? interval.high : 0;
  const say = (is: boolean, of: string): void => {
    if (!is)
      violate(
        'I11',
        `order ${id} of ${strategy} has the size ${size} ${order.side}, wanted is ${wants}: ${of} (${new Date(at).toISOString()})`,
      );
  };
  if (unit === 'base') say(Math.abs(size - Number(figure)) <= step * 1.001, 'that amount');
  else if (unit === 'quote')
    say(order.value <= Number(figure) * 1.0001 && order.value > Number(figure) - order.price * step * 1.01, 'that value');
  else if (wants === 'position' || unit === '%') {
    const share = (Math.abs(held) * (unit === '%' ? Number(figure) : 100)) / 100;
    const most = Math.min(Math.abs(certain), Math.max(0, share - Math.abs(held - certain)));
    say(held > 0 === (order.side === 'sell'), `the side that closes ${held}`);
    say(size <= most + NOTHING && size > most * 0.99 - step * 1.01, `a share of ${held}, of which ${certain} are certain`);
  } else if (target !== '') {
    const by = Number(target) - held;
    // What may be closed already is not closed again.
    const most = by > 0 === held < 0 && interval.low !== interval.high ? Math.abs(by) - Math.abs(held - certain) : Math.abs(by);
    const isThat = size <= most + step * 1e-5 && size > Math.min(most, Math.abs(certain) || most) * 0.99 - step * 1.01;
    say(by > 0 === (order.side === 'buy') && isThat, `from ${held} to that`);
  }
}

/** Checks that an exit is due by the rules of its strategy, with the figures that its row has (I07b). */
export function checkExit(
  { strategy, product, reason, at, detail }: JournalRow,
  fold: JournalFold,
  by: { settings: RunSettings; violate: Violate },
): void {
  const { settings, violate } = by;
  const { exits } = settings.strategies.find(({ id }) => id === strategy) ?? {};
  const { size, average, openedAt } = fold.book(strategy, product);
  const price = Number(detail.price);
  const gain = (size > 0 ? 1 : -1) * (price / average - 1) * 100;
  const figure = Number.parseFloat(detail.figure ?? '');
  const say = (is: boolean, what: string): void => {
    if (!is) violate('I07b', `exit ${reason} of ${strategy} in ${product}: ${JSON.stringify(detail)}, ${what}`);
  };
  say(
    Math.abs(Number(detail.size) - size) < 1e-7 && Math.abs(Number(detail.average) - average) < 1e-6 * average,
    `held are ${size} at ${average}`,
  );
  if (!exits) return say(false, 'the strategy has no exits');
  if (reason === 'STOP_LOSS')
    say(exits.net === true || (Math.abs(gain - figure) < 1e-5 && gain <= -Number(exits.stopLossPct) + 1e-6), `the gain is ${gain} %`);
  if (reason === 'TAKE_PROFIT')
    say(exits.net === true || (Math.abs(gain - figure) < 1e-5 && gain >= Number(exits.takeProfitPct) - 1e-6), `the gain is ${gain} %`);
  if (reason === 'TRAILING_STOP') {
    const best = size > 0 ? price / (1 - figure / 100) : price / (1 + figure / 100);
    const bestPct = (size > 0 ? 1 : -1) * (best / average - 1) * 100;
    say(figure >= Number(exits.trailingPct) - 1e-6, `set is ${exits.trailingPct} %`);
    say(
      exits.net === true || exits.activateAtPct === null || bestPct >= Number(exits.activateAtPct) - 1e-4,
      `the best gain was ${bestPct} %`,
    );
  }
  if (reason === 'MAX_HOLD') say(at - openedAt >= Number(exits.maxHoldSeconds) * 1_000 - 1, `it is open since ${at - openedAt} ms`);
}
