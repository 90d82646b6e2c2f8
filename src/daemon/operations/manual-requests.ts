import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import type { Settings } from '#config/settings.ts';
import type { ManualTask, TakenRequest } from '#domain/manual-request.ts';
import type { OrderText } from '#domain/order.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import type { BodyOf } from '#server/control/endpoints.ts';
import { runningDaemon } from './daemon-access.ts';
import { askManual, askState, askTask, type ManualAct } from './ops-client.ts';

const LOOK_MS = 150;

interface Following {
  readonly timers: Pick<Timers, 'after' | 'monotonicMs'>;
  /** Called after each change. */
  readonly onProgress: (task: ManualTask) => void;
  readonly timeoutMs: number;
}

/** The mode of the running daemon. */
export async function runningMode(settings: Settings): Promise<string> {
  return askState('mode', runningDaemon(settings).daemon);
}

/** Makes a manual request of the running daemon. Throws ACT_REFUSED if it is refused at once. */
export async function beginManual<Act extends ManualAct>(act: Act, body: BodyOf<Act>, settings: Settings): Promise<TakenRequest> {
  return askManual(act, body, runningDaemon(settings));
}

/** Follows a request until its end or a time limit, and returns its last state. */
export async function followManual(
  begun: ManualTask,
  settings: Settings,
  { timers, onProgress, timeoutMs }: Following,
): Promise<ManualTask> {
  const { daemon } = runningDaemon(settings);
  const start = timers.monotonicMs();
  let task = begun;
  let shown = '';
  for (;;) {
    const text = JSON.stringify(task.parts);
    if (text !== shown) onProgress(task);
    shown = text;
    if (task.ended || timers.monotonicMs() - start >= timeoutMs) return task;
    await pause(timers, LOOK_MS);
    task = await askTask(task.id, daemon);
  }
}

/** A journaled order with its latencies. Times in milliseconds; null if the journal does not have them. */
export interface ExecutedOrder {
  readonly orderId: string;
  readonly side: string;
  readonly state: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCcy: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** The body of the answer; empty for none. */
  readonly body: string;
  /** Price of the quote that it named. */
  readonly quoted: string | null;
  /** Status of the answer; null for none. */
  readonly httpStatus: number | null;
  /** The order at the figures of the quote that it named. */
  readonly asked: OrderText | null;
  /** From the decision to the first byte, by the quote's time left at each. */
  readonly toBytesMs: number | null;
  readonly answerMs: number | null;
}

/** An order in the journal; undefined for an unknown one. */
export function executed(journalPath: string, orderId: string): ExecutedOrder | undefined {
  const reader = JournalReader.open(journalPath);
  try {
    const story = reader.story(orderId);
    if (!story?.order) return undefined;
    const { side, state, price, size, value, fee, fee_ccy: feeCcy } = story.order;
    let asked: OrderText | null = null;
    let httpStatus: number | null = null;
    let body = '';
    let left: number | null = null;
    let toBytesMs: number | null = null;
    let answerMs: number | null = null;
    for (const decision of story.decisions.map(decisionOf)) {
      if (decision.kind === 'approved') {
        asked = decision.detail.order;
        left = decision.detail.timeLeftMs;
      }
      if (decision.kind === 'sent' && left !== null) toBytesMs = Math.max(0, left - decision.detail.timeLeftMs);
      if (decision.kind !== 'accepted' && decision.kind !== 'rejected' && decision.kind !== 'unknown') continue;
      ({ body, httpStatus, roundTripMs: answerMs } = decision.detail);
    }
    const { baseCcy, quoteCcy } = asked ?? { baseCcy: '', quoteCcy: '' };
    return {
      orderId,
      side,
      state,
      price,
      size,
      value,
      fee,
      feeCcy,
      baseCcy,
      quoteCcy,
      body,
      quoted: asked?.price ?? null,
      httpStatus,
      asked,
      toBytesMs,
      answerMs,
    };
  } finally {
    reader.close();
  }
}
