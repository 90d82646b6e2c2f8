import type { Command } from 'commander';
import type { Executed } from '#apps/operations/manual-requests.ts';
import type { TrueFee } from '#apps/operations/rehearsal.ts';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { ManualRequest, ManualTask } from '#domain/manual-request.ts';
import { modeFactsNamed } from '#domain/mode.ts';
import { whoActs } from './act.ts';
import { askYes } from './ask.ts';
import { addManualOptions, carryOut, type ManualOptions, throwUnfinished } from './manual-requests.ts';
import { figure } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { configFrom } from './settings.ts';
import { settingsBlock } from './settings-block.ts';

interface Options extends ManualOptions {
  readonly live?: boolean;
  readonly yes?: boolean;
}

/** Adds `rehearse`: buys and sells the minimum order, to measure the latency and cost of orders. */
export function addRehearse(program: Command): void {
  addManualOptions(program.command('rehearse'), 30)
    .description(
      'buy and sell the least order, also while disarmed or paused: latency, slippage, the true fee, the account against the books',
    )
    .argument('<product>', 'its code')
    .option('--live', 'with real money; without it, on a paper or dry daemon only')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  kairos rehearse btcusd --live')
    .action(rehearse);
}

interface Leg extends Executed {
  readonly quoteAgeMs: number;
}

async function rehearse(product: string, given: Options): Promise<void> {
  const options = { ...given, wait: true };
  const { runningMode } = await import('#apps/operations/manual-requests.ts');
  const mode = await runningMode(configFrom(options).settings);
  const isRealMoney = modeFactsNamed(mode)?.isRealMoney === true;
  if (options.live && !isRealMoney) {
    throw new KairosError(
      'ACT_REFUSED',
      `the daemon runs on ${mode}, so nothing would be live: leave --live out, or start it with run --live`,
    );
  }
  if (!options.live && isRealMoney) throw new KairosError('ACT_REFUSED', 'the daemon trades live, with real money: add --live to mean it');
  printNote(isRealMoney ? `${product}: one least purchase and its sale, live` : `${product}: on ${mode}, no real money`);
  if (!options.yes) await askYes(`Buy the least of ${product} and sell it again?`, 'rehearse', 'nothing was ordered');
  const by = { who: whoActs(), why: `rehearsal: ${options.reason}` };

  const { askBalances } = await import('#apps/operations/account-balances.ts');
  const { feeInOf, flatness, sideOf, trueFee } = await import('#apps/operations/rehearsal.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const { settings } = configFrom(options);
  const ask = () => askBalances(settings, systemTimers);
  const first = await ask();
  const bought = await leg({ act: 'order', product, side: 'buy', amount: { least: true }, rehearsal: true, ...by }, options);
  const second = await ask();
  const buyFee = trueFee(bought.order, first, second);
  const before = decimalOf(bought.task.parts[0]?.held ?? '0');
  const { size, fee, feeCcy, baseCcy } = bought.order;
  const received = baseCcy === feeCcy.toLowerCase() ? decimalOf(size).minus(fee) : decimalOf(size);
  const sell: ManualRequest = before.isZero()
    ? { act: 'close', strategy: 'manual', product, pct: 100, rehearsal: true, ...by }
    : { act: 'order', product, side: 'sell', amount: { base: received.toString() }, rehearsal: true, ...by };
  const sold = await leg(sell, options).catch((error: unknown) => messageOf(error));
  const last = await ask();
  const sellFee: TrueFee = typeof sold === 'string' ? { by: 'unknown', why: 'it was not sold' } : trueFee(sold.order, second, last);
  const left = typeof sold === 'string' ? received : decimalOf(sold.task.parts[0]?.left ?? '0').minus(before);
  const found = feeInOf(sideOf(buyFee, bought.order), sideOf(sellFee, bought.order));
  const proposed = found === undefined || found === settings.service.feeIn ? {} : { 'service.feeIn': found };
  const end = flatness(bought.order, { left, before: first, after: last });
  const legs = [{ ...bought.order, trueFee: buyFee }, ...(typeof sold === 'string' ? [] : [{ ...sold.order, trueFee: sellFee }])];
  const failure = typeof sold === 'string' ? sold : null;
  if (options.json)
    printJson({
      mode,
      product,
      legs,
      left: left.toString(),
      flat: end.flat,
      agree: end.agree,
      evidence: end.line,
      settings: proposed,
      failure,
    });
  else {
    printLegs(legs);
    for (const line of feeLines(legs, settings.service.feeIn)) printLine(line);
    printLine(end.line);
    if (Object.keys(proposed).length > 0)
      printLine(`settings to paste:\n\n${settingsBlock(proposed)}\n\nthen make the books what the account has: kairos reconcile`);
  }
  if (failure !== null) throw new KairosError('ACT_UNFINISHED', `rehearse: ${product} was bought and not sold: ${failure}`);
}

/** The true fee of each order, as far as it is known. */
function feeLines(legs: readonly (Leg & { readonly trueFee: TrueFee })[], feeIn: string): readonly string[] {
  return legs.map(({ side, fee, feeCcy, trueFee: taken }) => {
    if (taken.by === 'unknown') {
      return `fee of the ${side}: unknown: ${taken.why}; booked by service.feeIn (${feeIn}) as ${figure(fee)} ${feeCcy}`;
    }
    const seen = taken.by === 'account' ? 'as the account moved' : 'as the answer says';
    return `fee of the ${side}: ${figure(taken.fee)} ${taken.currency}, ${seen}; booked ${figure(fee)} ${feeCcy}`;
  });
}

/** Makes one order and returns its execution. Throws if it was not executed. */
async function leg(asked: ManualRequest, options: Options): Promise<{ readonly task: ManualTask; readonly order: Leg }> {
  const { executed } = await import('#apps/operations/manual-requests.ts');
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

/** Slippage of a fill against its quote, in quote currency per unit. */
function worse({ side, quoted, price }: Leg): string {
  if (quoted === null) return '?';
  const change = decimalOf(price).minus(quoted);
  return (side === 'buy' ? change : change.negated()).toString();
}
