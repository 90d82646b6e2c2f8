import { type Command, InvalidArgumentError } from 'commander';
import type { ManualAct } from '#daemon/operations/ops-client.ts';
import { KairosError } from '#domain/errors.ts';
import type { ManualPart, ManualTask } from '#domain/manual-request.ts';
import { amountText } from '#domain/money-text.ts';
import type { Reason } from '#domain/reasons.ts';
import type { BodyOf } from '#server/control/endpoints.ts';
import { type ActOptions, actor, addActOptions, ROW_FOLLOWS } from './act.ts';
import { printJson, printLine, printNote } from './output.ts';
import { runningConfigFrom } from './settings.ts';

export interface ManualOptions extends ActOptions {
  readonly wait: boolean;
  /** Time limit in seconds. */
  readonly timeout: number;
}

/** Adds the options of every manual request: those of acts, and how long to wait. */
export function addManualOptions(command: Command, seconds: number): Command {
  return addActOptions(command)
    .option('--no-wait', 'return once it is begun; the daemon goes on')
    .option('--timeout <seconds>', 'how long to wait', secondsOf, seconds);
}

/** Makes a manual request of the running daemon, and prints its progress and result. */
export async function byHand<Act extends ManualAct>(act: Act, fields: BodyOf<Act>, options: ManualOptions): Promise<void> {
  const { task, settings } = await carryOut(act, fields, options);
  const { executed } = await import('#daemon/operations/manual-requests.ts');
  const orders = task.parts.flatMap((part) => part.orders.flatMap(({ orderId }) => executed(settings.journal.path, orderId) ?? []));
  if (options.json) printJson({ ...task, executed: orders });
  else {
    for (const { orderId, side, state, price, size, fee, feeCcy } of orders) {
      if (state === 'accepted') printLine(`order ${orderId}: ${side} ${size} at ${price}, fee ${amountText(Number(fee), feeCcy)}`);
    }
    const isEnd = 'end' in fields;
    for (const line of endLines(task, { waited: options.wait, isEnd })) printLine(line);
  }
  const failure = options.wait ? unfinished(task) : undefined;
  if (failure) throw failure;
}

/** Makes a request, and waits for its end unless told not to. Throws ACT_REFUSED if it is refused at once. */
export async function carryOut<Act extends ManualAct>(act: Act, fields: BodyOf<Act>, options: ManualOptions) {
  const { beginManual, followManual } = await import('#daemon/operations/manual-requests.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const { settings } = await runningConfigFrom(options);
  const begun = await beginManual(act, { ...fields, ...actor(options) }, settings);
  if (!begun.journaled) printNote(`${act}: ${ROW_FOLLOWS}`);
  if (!options.wait) return { task: begun, settings };
  const onProgress = options.json ? () => {} : progressTeller(printNote);
  return { task: await followManual(begun, settings, { timers: systemTimers, onProgress, timeoutMs: options.timeout * 1000 }), settings };
}

/** Tells what parts at work wait for, each cause once: a price that moves is no news. */
export function progressTeller(tell: (line: string) => void): (task: Pick<ManualTask, 'parts'>) => void {
  const told = new Set<string>();
  return ({ parts }) => {
    for (const part of parts) {
      const line = progressLine(part);
      const kind = line.replace(/[\d.,]+/g, '');
      if (part.state === 'working' && !told.has(kind)) tell(line);
      told.add(kind);
    }
  };
}

/** One line if the request was refused or something is left of it. */
export function unfinished({ act, parts }: ManualTask): KairosError | undefined {
  const refused = parts.filter(({ state }) => state === 'refused');
  if (refused.length > 0) return new KairosError('ACT_REFUSED', `${act} is refused: ${refused.map(whyOf).join('; ')}`);
  const left = parts.filter(({ state }) => state !== 'done');
  if (left.length === 0) return undefined;
  const words = left.map(
    (part) =>
      `${part.book} still holds ${part.left} of ${part.product} (${part.state === 'working' ? 'still at work; last: ' : ''}${whyOf(part)})`,
  );
  return new KairosError('ACT_UNFINISHED', `${act}: ${words.join('; ')}`);
}

function whyOf({ reason, why }: ManualPart): string {
  if (reason === null || why === null) return reason ?? why ?? 'nothing yet';
  return `${why} (${reason})${ENDED_BY_RESUME.has(reason) ? '; `kairos resume` ends that' : ''}`;
}

/** States of trading that stand until a person ends them, and whose refusals name who set them alone. */
const ENDED_BY_RESUME: ReadonlySet<Reason> = new Set(['REDUCING', 'PAUSED']);

/** What a part waits for, and its last order. */
export function progressLine(part: ManualPart): string {
  const { book, product, wants, orders } = part;
  const last = orders.at(-1);
  const order = last ? `, order ${last.orderId} ${last.state}` : '';
  return `${book} ${product}: ${wants}${order}${part.why === null ? '' : `; ${whyOf(part)}`}`;
}

function endLines({ act, parts }: ManualTask, { waited, isEnd }: { readonly waited: boolean; readonly isEnd: boolean }): readonly string[] {
  if (!waited) return [`${act}: begun; \`kairos journal tail -f\` shows how it goes`];
  if (parts.length === 0) {
    if (isEnd) return ['what was being closed is ended; what is held stays'];
    return [act === 'close' ? 'what it waited for is ended; it holds nothing' : 'there is no open position'];
  }
  const done = parts.filter(({ state }) => state === 'done');
  return done.map(({ book, product, wants, left, why }) => `done: ${book} ${product}: ${wants}; ${why ?? `${left} is held`}`);
}

function secondsOf(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
