import type { Command } from 'commander';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import type { ExecutedOrder } from '#daemon/operations/manual-requests.ts';
import type { AskedBalances, OutcomeEvidence, TrueFee } from '#daemon/operations/rehearsal.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { ManualTask } from '#domain/manual-request.ts';
import { isDry, modeFactsNamed } from '#domain/mode.ts';
import { settleMend } from '#domain/settle-text.ts';
import type { BodyOf } from '#server/control/endpoints.ts';
import { askAmounts } from './amounts.ts';
import { askLine, askYes } from './ask.ts';
import { addManualOptions, carryOut, type ManualOptions, unfinished } from './manual-requests.ts';
import { figure } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { configFrom } from './settings.ts';
import { settingsBlock } from './settings-block.ts';

interface Options extends ManualOptions {
  readonly live?: boolean;
  readonly yes?: boolean;
}

/** Adds `rehearse`: buys and sells the minimum order, to measure the latency and cost of orders. */
export function addRehearse(command: Command): void {
  addManualOptions(command, 30)
    .argument('<product>', 'its code')
    .option('--live', 'with real money; needed on a live daemon')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  kairos rehearse btcusd --live')
    .action(rehearse);
}

/** How long a question for balances waits: a position may be open meanwhile. */
const ANSWER_MS = 120_000;

interface Leg extends ExecutedOrder {
  readonly quoteAgeMs: number;
}

/** How one order of a rehearsal ended: with its execution, or with the last order that was tried and why there is none. */
type LegEnd =
  | { readonly task: ManualTask; readonly order: Leg; readonly failure?: never }
  | { readonly task?: never; readonly order: ExecutedOrder | undefined; readonly failure: KairosError };

interface Balances {
  readonly before: AskedBalances;
  readonly after: AskedBalances;
}

/** Asks what the account holds at one moment of a rehearsal, after the order that has just ended. */
type AskWhatIsHeld = (when: 'before the purchase' | 'after the purchase' | 'after the sale', after?: LegEnd) => Promise<AskedBalances>;

/** What a rehearsal has at hand, whatever comes of it. */
interface Rehearsal {
  readonly product: string;
  readonly mode: string | undefined;
  readonly options: Options;
  readonly config: LoadedConfig;
  readonly ask: AskWhatIsHeld;
}

/** The purchase that was executed, and the sale, with what the account held before, between and after. */
interface Legs {
  readonly bought: Extract<LegEnd, { task: ManualTask }>;
  readonly sold: LegEnd;
  readonly balances: readonly [first: AskedBalances, second: AskedBalances, last: AskedBalances];
  /** Bought, less a fee in the same currency; and what the book held before. */
  readonly received: Decimal;
  readonly before: Decimal;
  readonly bySale: TrueFee | undefined;
}

async function rehearse(product: string, given: Options): Promise<void> {
  const options = { ...given, wait: true, reason: `rehearsal: ${given.reason}` };
  const config = configFrom(options);
  const { settings } = config;
  const mode = await modeFor(options, settings, product);
  if (!options.yes) await askYes(`Buy the least of ${product} and sell it again?`, 'rehearse', 'nothing was ordered');
  // Its own answers move no account.
  const ask = isDry(mode) ? () => Promise.resolve(null) : await asker(settings, options);
  const rehearsal = { product, mode, options, config, ask };
  const legs = await bothLegs(rehearsal);
  await (isDry(mode) ? concludeDry(rehearsal, legs) : conclude(rehearsal, legs));
}

/** The mode of the daemon that runs. Throws ACT_REFUSED where it is not the one that was meant. */
async function modeFor({ live }: Options, settings: Settings, product: string): Promise<string | undefined> {
  const { runningMode } = await import('#daemon/operations/manual-requests.ts');
  const mode = await runningMode(settings);
  const isRealMoney = modeFactsNamed(mode)?.isRealMoney === true;
  if (live && !isRealMoney)
    throw new KairosError(
      'ACT_REFUSED',
      `the daemon runs on ${mode}, so nothing would be live: leave --live out, or start it with run --live`,
    );
  if (!live && isRealMoney) throw new KairosError('ACT_REFUSED', 'the daemon trades live, with real money: add --live to mean it');
  const words = isDry(mode) ? 'in dry mode, nothing is sent' : `on ${mode}, no real money`;
  printNote(isRealMoney ? `${product}: one least purchase and its sale, live` : `${product}: ${words}`);
  return mode;
}

/** Buys the least and sells it again. Throws, once it is told, where nothing was bought. */
async function bothLegs({ product, mode, options, config: { settings }, ask }: Rehearsal): Promise<Legs> {
  const { ledgerTotals } = await import('#daemon/operations/account-balances.ts');
  const { feeBySale } = await import('#daemon/operations/rehearsal.ts');
  const first = await ask('before the purchase');
  const held = ledgerTotals(settings.journal.path);
  const bought = await leg('order', { product, side: 'buy', least: true, rehearsal: true }, options);
  const isNothing = bought.failure !== undefined && bought.order?.state !== 'unknown';
  const second = isNothing ? null : await ask('after the purchase', bought);
  if (bought.failure) {
    const learned = await unsettled(bought, { before: first, after: second }, settings);
    if (options.json) printJson({ mode, product, legs: [], settings: learned?.settings ?? {}, failure: bought.failure.message });
    else printLearned(learned);
    throw bought.failure;
  }
  const before = decimalOf(bought.task.parts[0]?.held ?? '0');
  const { size, fee, feeCcy, baseCcy } = bought.order;
  const received = baseCcy === feeCcy.toLowerCase() ? decimalOf(size).minus(fee) : decimalOf(size);
  const tried = await sale({ product, received, isAll: before.isZero() }, options);
  const bySale = feeBySale(bought.order, { held: held.get(baseCcy) ?? ZERO, sold: tried.order });
  // A refusal that shows whose coin the fee was leaves the rest to be sold, as soon as a rejected exit lets another one pass.
  const pct = tried.failure && bySale?.currency === baseCcy && before.isZero() ? shareLeft(size, bySale.fee) : undefined;
  const sold = pct === undefined ? tried : await leg('close', closing(product, pct), options);
  return { bought, sold, balances: [first, second, await ask('after the sale', sold)], received, before, bySale };
}

/** What an order of unknown outcome taught; undefined for any other. */
async function unsettled({ order }: LegEnd, seen: Balances, { service }: Settings) {
  const { learnedFrom } = await import('#daemon/operations/rehearsal.ts');
  return order?.state === 'unknown' ? { order, ...learnedFrom(order, { ...seen, service }) } : undefined;
}

/** Tells what came of both orders in dry mode, which teach nothing of the service. Throws ACT_UNFINISHED where something is left. */
async function concludeDry({ product, mode, options }: Rehearsal, { bought, sold }: Legs): Promise<void> {
  const failure = sold.failure ? notSold(product, sold.failure) : null;
  const legs = [bought.order, ...(sold.failure ? [] : [sold.order])];
  if (options.json) printJson({ mode, product, legs, settings: {}, failure });
  else {
    printLegs(legs);
    printLine("nothing was sent in dry mode: the answers are Kairos's own, and teach nothing of how the service answers or of its fees");
  }
  if (failure !== null) throw new KairosError('ACT_UNFINISHED', `rehearse: ${failure}`);
}

const notSold = (product: string, { message }: KairosError): string => `${product} was bought and not sold: ${message}`;

/** Tells what came of both orders, and which settings fit the service better. Throws ACT_UNFINISHED where something is left. */
async function conclude(
  { product, mode, options, config }: Rehearsal,
  { bought, sold, balances, received, before, bySale }: Legs,
): Promise<void> {
  const { answersRead, feeInOf, flatness, sideOf, trueFee } = await import('#daemon/operations/rehearsal.ts');
  const { feeGuess } = await import('#daemon/operations/fee-guess.ts');
  const { service } = config.settings;
  const [first, second, last] = balances;
  const accountFee = trueFee(bought.order, first, second);
  const buyFee = accountFee.by === 'unknown' ? (bySale ?? accountFee) : accountFee;
  const sellFee: TrueFee = sold.failure ? { by: 'unknown', why: 'it was not sold' } : trueFee(sold.order, second, last);
  const left = sold.failure ? received : decimalOf(sold.task?.parts[0]?.left ?? '0').minus(before);
  const found = feeInOf(sideOf(buyFee, bought.order), sideOf(sellFee, bought.order));
  const learned = await unsettled(sold, { before: second, after: last }, config.settings);
  const isNews = found !== undefined && (found !== service.feeIn || feeGuess(config) !== null);
  const read = answersRead(
    [{ order: bought.order, before: first, after: second }, ...(sold.failure ? [] : [{ order: sold.order, before: second, after: last }])],
    service,
  );
  const news = { ...(isNews && { 'service.feeIn': found }), ...read.settings };
  const end = flatness(bought.order, { left, before: first, after: last });
  const legs = [{ ...bought.order, trueFee: buyFee }, ...(sold.failure ? [] : [{ ...sold.order, trueFee: sellFee }])];
  const failure = sold.failure ? notSold(product, sold.failure) : read.failure;
  if (options.json) {
    const { flat, agree, line: evidence } = end;
    printJson({ mode, product, legs, left: left.toString(), flat, agree, evidence, settings: { ...news, ...learned?.settings }, failure });
  } else {
    printLegs(legs);
    for (const line of [...feeLines(legs, service.feeIn), read.line, end.line]) printLine(line);
    printLearned(learned);
    if (Object.keys(news).length > 0) printLine(`settings to paste:\n\n${settingsBlock(news)}`);
    const { baseCcy, quoteCcy } = bought.order;
    const actual = service.capabilities.includes('balances') ? '' : ` --actual ${baseCcy}=...,${quoteCcy}=...`;
    if (isNews && found !== service.feeIn) printLine(`\nthen make the books what the account has: kairos reconcile${actual}`);
  }
  if (failure !== null) throw new KairosError('ACT_UNFINISHED', `rehearse: ${failure}`);
}

/** The true fee of each order, as far as it is known. */
function feeLines(legs: readonly (Leg & { readonly trueFee: TrueFee })[], feeIn: string): readonly string[] {
  return legs.map(({ side, fee, feeCcy, trueFee: taken }) => {
    if (taken.by === 'unknown') {
      return `fee of the ${side}: unknown: ${taken.why}; booked by service.feeIn (${feeIn}) as ${figure(fee)} ${feeCcy}`;
    }
    const seen = { account: 'as the account moved', answer: 'as the answer says', sale: 'as the sale shows: the books held less before' }[
      taken.by
    ];
    return `fee of the ${side}: ${figure(taken.fee)} ${taken.currency}, ${seen}; booked ${figure(fee)} ${feeCcy}`;
  });
}

/** What an order of unknown outcome taught: what came of it, the settings by which its answer says so, and how to settle it. */
function printLearned(learned: (OutcomeEvidence & { readonly order: ExecutedOrder }) | undefined): void {
  if (!learned) return;
  const { order, as, settings, why } = learned;
  const words = { accepted: 'was executed', rejected: 'was not executed' };
  const seen = as === null ? 'nobody has seen whether it was executed: look into the account' : `it ${words[as]}, as the account shows`;
  printLine(`order ${order.orderId} is of unknown outcome; ${seen}`);
  if (as === null && why !== '') printLine(why);
  if (Object.keys(settings).length > 0) printLine(`settings to paste, by which such an answer says so:\n\n${settingsBlock(settings)}\n`);
  printLine(as === null ? settleMend(order.orderId) : `then settle it: kairos journal resolve ${order.orderId} --as ${as}`);
}

/** Asks the service, else the person on a terminal, who is not kept between the orders by a fee that the answer tells. */
async function asker(settings: Settings, { yes }: Options): Promise<AskWhatIsHeld> {
  const { askBalances } = await import('#daemon/operations/account-balances.ts');
  const { trueFee } = await import('#daemon/operations/rehearsal.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  if (settings.service.capabilities.includes('balances')) return () => askBalances(settings, systemTimers);
  let isTold = true;
  return async (when, after) => {
    const isClear = when === 'after the purchase' && after?.task !== undefined && trueFee(after.order, null, null).by !== 'unknown';
    if (yes || !process.stdin.isTTY || !isTold || isClear) return null;
    const question = `What the account holds ${when}, such as btc=0.5,usd=9200 (Enter: not known): `;
    const said = await askAmounts(() => askLine(question, 'rehearse', ANSWER_MS), printNote).catch((error: unknown) => {
      // What was bought is sold all the same.
      if (after === undefined || !(error instanceof KairosError)) throw error;
      printNote(`${error.message}: taken as not known`);
      return null;
    });
    isTold = said !== null;
    return said;
  };
}

/** Sells what was bought: at one quote, so that a refusal is seen as one; else by closing the book, which goes on. */
async function sale(
  { product, received, isAll }: { readonly product: string; readonly received: Decimal; readonly isAll: boolean },
  options: Options,
): Promise<LegEnd> {
  const once = await leg('order', { product, side: 'sell', size: received.toString(), rehearsal: true }, options);
  const isOver = !once.failure || once.order?.state === 'rejected' || once.order?.state === 'unknown';
  return isOver || !isAll ? once : leg('close', closing(product, 100), options);
}

const closing = (product: string, pct: number) => ({ strategy: 'manual', product, pct, rehearsal: true }) as const;

/** What is left of a size after a fee, in percent. */
const shareLeft = (size: string, fee: string): number => 100 - Math.ceil((Number(fee) / Number(size)) * 1_000_000) / 10_000;

/** Makes one order and returns how it ended. */
async function leg<Act extends 'close' | 'order'>(act: Act, fields: BodyOf<Act>, options: Options): Promise<LegEnd> {
  const { executed } = await import('#daemon/operations/manual-requests.ts');
  const { task, settings } = await carryOut(act, fields, options);
  const orders = task.parts.flatMap((part) => part.orders);
  const last = orders.findLast(({ state }) => state === 'accepted') ?? orders.at(-1);
  const found = last && executed(settings.journal.path, last.orderId);
  const order = last && found && { ...found, quoteAgeMs: last.quoteAgeMs };
  const failure = unfinished(task);
  if (!failure && order?.state === 'accepted') return { task, order };
  const nothing = `${act}: nothing was executed; \`kairos positions\` says what is held`;
  return { order, failure: failure ?? new KairosError('ACT_UNFINISHED', nothing) };
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
