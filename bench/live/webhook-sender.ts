import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { seeded } from '#domain/seeded.ts';
import { givenFacts, serve } from './child.ts';

/** Where to send, with which secret, and how often. */
export interface SenderFacts {
  readonly url: string;
  readonly secret: string;
  readonly perSecond: number;
}

/** `retries`: so many transfers, each so many times, as they come, in any order. */
export type SenderQuestion =
  | { readonly ask: 'begin' | 'end' }
  | { readonly ask: 'retries'; readonly transfers: number; readonly times: number };

/** Answers by status since the beginning; `failed` are those without one. */
export type SenderReport = Readonly<Record<string, number>>;

/** As many connections as the paper venue has to a partner. */
const CONNECTIONS = 32;
const TICK_MS = 10;

const { url, secret, perSecond } = givenFacts<SenderFacts>();
const { origin, pathname: path } = new URL(url);
const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
const key = Buffer.from(secret, 'base64');
const answers = new Map<string, number>();
const open = new Set<Promise<void>>();
let sent = 0;
let beganMs = 0;
let timer: NodeJS.Timeout | undefined;

async function send(n: number): Promise<void> {
  const transferId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const fields = { notificationType: 'DEPOSIT_CONFIRMED', svcUserId: '1205', transferId, source: 'bench', currency: 'EUR', amount: '1' };
  const body = JSON.stringify(fields);
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', key).update(`${timestamp}${body}`).digest('base64');
  const headers = { 'content-type': 'application/json', 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature };
  let status = 'failed';
  try {
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    status = String(answer.statusCode);
  } catch {
    // Counted as failed: the benchmark shows it.
  }
  answers.set(status, (answers.get(status) ?? 0) + 1);
}

function begin(): void {
  beganMs = performance.now();
  const before = sent;
  timer = setInterval(() => {
    const due = before + Math.floor(((performance.now() - beganMs) / 1000) * perSecond);
    while (sent < due) {
      const post = send(sent++).finally(() => open.delete(post));
      open.add(post);
    }
  }, TICK_MS);
}

async function end(): Promise<SenderReport> {
  clearInterval(timer);
  await Promise.all(open);
  return Object.fromEntries(answers);
}

/** Each transfer comes `times` times, shuffled: late repeats of one among first words of another. */
async function retries({ transfers, times }: { readonly transfers: number; readonly times: number }): Promise<SenderReport> {
  const first = sent;
  sent += transfers;
  answers.clear();
  const draws = seeded('retries');
  const turns = Array.from({ length: transfers * times }, (_, turn) => ({ n: first + (turn % transfers), at: draws.next() }));
  turns.sort((a, b) => a.at - b.at);
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let turn = turns[next++]; turn; turn = turns[next++]) await send(turn.n);
    }),
  );
  return Object.fromEntries(answers);
}

serve<SenderQuestion>(
  (question) => {
    if (question.ask === 'retries') return retries(question);
    return question.ask === 'begin' ? begin() : end();
  },
  () => pool.close(),
);
