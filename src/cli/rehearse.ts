import type { Command } from 'commander';
import type { Executed } from '#apps/operations/by-hand.ts';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { HandTask, ManualRequest } from '#domain/manual-request.ts';
import { whoActs } from './act.ts';
import { askYes } from './ask.ts';
import { addHandOptions, carryOut, type HandOptions, throwUnfinished } from './by-hand.ts';
import { figure } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { configFrom } from './settings.ts';

interface Options extends HandOptions {
  readonly live?: boolean;
  readonly yes?: boolean;
}

/** Adds `rehearse`: one least purchase and its sale, to see how long orders take and what they cost. */
export function addRehearse(program: Command): void {
  addHandOptions(program.command('rehearse'), 30)
    .description('buy the least and sell it again: latency, fill against quote, and the currency of fees')
    .argument('<product>', 'its code')
    .option('--live', 'with real money; without it, on a paper or dry daemon alone')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  kairos rehearse btcusd --live')
    .action(rehearse);
}

interface Leg extends Executed {
  readonly quoteAgeMs: number;
}

async function rehearse(product: string, given: Options): Promise<void> {
  const options = { ...given, wait: true };
  const { runningMode } = await import('#apps/operations/by-hand.ts');
  const mode = await runningMode(configFrom(options).settings);
  if (options.live && mode !== 'live') {
    throw new KairosError(
      'ACT_REFUSED',
      `the daemon runs on ${mode}, so nothing would be live: leave --live out, or start it with run --live`,
    );
  }
  if (!options.live && mode === 'live')
    throw new KairosError('ACT_REFUSED', 'the daemon trades live, with real money: add --live to mean it');
  printNote(mode === 'live' ? `${product}: one least purchase and its sale, live` : `${product}: on ${mode}, no real money`);
  if (!options.yes) await askYes(`Buy the least of ${product} and sell it again?`, 'rehearse', 'nothing was ordered');
  const by = { who: whoActs(), why: `rehearsal: ${options.reason}` };

  const bought = await leg({ act: 'order', product, side: 'buy', amount: { least: true }, ...by }, options);
  const before = decimalOf(bought.task.parts[0]?.held ?? '0');
  const { size, fee, feeCcy } = bought.order;
  const received = product.toLowerCase().startsWith(feeCcy.toLowerCase()) ? decimalOf(size).minus(fee) : decimalOf(size);
  const sell: ManualRequest = before.isZero()
    ? { act: 'close', strategy: 'manual', product, pct: 100, ...by }
    : { act: 'order', product, side: 'sell', amount: { base: received.toString() }, ...by };
  const sold = await leg(sell, options);
  const left = decimalOf(sold.task.parts[0]?.left ?? '0').minus(before);
  if (options.json) return printJson({ mode, product, legs: [bought.order, sold.order], left: left.toString() });
  printLegs([bought.order, sold.order]);
  printLine(left.isZero() ? 'flat again' : `${figure(left)} is left in the book manual, which no order can close`);
}

/** One order and what it came to. Throws where it was not executed. */
async function leg(asked: ManualRequest, options: Options): Promise<{ readonly task: HandTask; readonly order: Leg }> {
  const { executed } = await import('#apps/operations/by-hand.ts');
  const { task, settings } = await carryOut(asked, options);
  throwUnfinished(task);
  const done = task.parts.flatMap((part) => part.orders).findLast(({ state }) => state === 'accepted');
  const order = done && executed(settings.journal.path, done.orderId);
  if (!done || !order)
    throw new KairosError('ACT_UNFINISHED', `${asked.act}: nothing was executed; \`kairos positions\` says what is held`);
  return { task, order: { ...order, quoteAgeMs: done.quoteAgeMs } };
}

function printLegs(legs: readonly Leg[]): void {
  const ms = (value: number | null): string => (value === null ? '?' : String(Math.round(value * 10) / 10));
  printTable(
    ['order', 'side', 'size', 'quoted', 'filled', 'worse by', 'fee', 'quote to decision ms', 'decision to bytes ms', 'answer ms'],
    legs.map((one) => [
      one.orderId,
      one.side,
      one.size,
      one.quoted ?? '?',
      one.price,
      worse(one),
      `${figure(one.fee)} ${one.feeCcy}`,
      ms(one.quoteAgeMs),
      ms(one.toBytesMs),
      ms(one.answerMs),
    ]),
  );
}

/** How much worse than its quote an order was filled, in the quote currency of one unit. */
function worse({ side, quoted, price }: Leg): string {
  if (quoted === null) return '?';
  const change = decimalOf(price).minus(quoted);
  return (side === 'buy' ? change : change.negated()).toString();
}
