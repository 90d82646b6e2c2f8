import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { keepCheckpoints } from '#daemon/run/checkpoints-thread.ts';
import { openWebhooks } from '#daemon/run/threads/webhooks.ts';
import { BROKER_SECRET } from '#paper-venue/defaults.ts';
import { Child } from './live/child.ts';
import type { SenderFacts, SenderQuestion, SenderReport } from './live/webhook-sender.ts';
import type { BenchOptions } from './options.ts';
import { type Latenesses, orderRatios, play, quoteMaker, TRADING, timedEngine } from './orders-in-time.ts';
import type { BenchResult } from './result.ts';
import { inScratch } from './scratch.ts';
import { benchConfig } from './settings.ts';
import { machineMs, percentile } from './statistics.ts';

const PER_SECOND = 500;
/** L4: what a hundred attempts at each of a thousand notifications come to. */
const RETRIES = { transfers: 1000, times: 100 };
const QUICK_RETRIES = { transfers: 20, times: 10 };

/**
 * From the time at which a quote is due to its order at the broker, the commit in it, while 500 webhooks a second come in
 * from another process, beside the same without them. One engine on a journal on disk, the receiver in its thread; in turns.
 * Then every transfer many times over, each of which must have one effect.
 */
export async function benchWebhooks({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const rounds = quick ? 2 : 7;
    const sliceMs = quick ? 500 : 10_000;
    const timed = await timedEngine(folder);
    const { engine, now } = timed;
    // How long the main thread is held by each batch. Processor time would be counted in ticks longer than most of them.
    const batchesMs: number[] = [];
    let heldMs = 0;
    const held = (work: () => void): void => {
      const before = machineMs();
      work();
      heldMs += machineMs() - before;
    };
    const { settings } = benchConfig({ folder, baseUrl: null, strategies: [TRADING] });
    const receiver = await openWebhooks({
      settings: {
        ...settings,
        journal: { ...settings.journal, path: join(folder, 'engine.db') },
        webhooks: { ...settings.webhooks, enabled: true, port: 0 },
      },
      timers: systemTimers,
      serviceClock: { now: () => undefined },
      post: (event) => held(() => engine.give(now(), event)),
      settle() {
        held(() => engine.write());
        batchesMs.push(heldMs);
        heldMs = 0;
        return true;
      },
      isRunning: () => true,
      notice: () => {},
    });
    if (!receiver) throw new Error('the receiver is not enabled');
    const stopCheckpoints = keepCheckpoints(join(folder, 'engine.db'), (_level, text) => console.error(text));
    const facts: SenderFacts = { url: receiver.url, secret: BROKER_SECRET, perSecond: PER_SECOND };
    const sender = Child.start('webhook-sender', facts);
    const ask = <Reply>(question: SenderQuestion) => sender.ask<Reply>(question);
    const times: Latenesses = { with: [], without: [] };
    let answers: SenderReport = {};
    let repeated: SenderReport = {};
    let loadedMs = 0;
    const { transfers, times: deliveries } = quick ? QUICK_RETRIES : RETRIES;
    try {
      const quotes = quoteMaker();
      for (let round = 0; round < rounds; round++) {
        for (const how of ['without', 'with'] as const) {
          if (how === 'with') await ask({ ask: 'begin' });
          const found = await play(timed, { quotes, sliceMs });
          if (how === 'with') answers = await ask<SenderReport>({ ask: 'end' });
          loadedMs += how === 'with' ? sliceMs : 0;
          if (round > 0) times[how].push(...found);
        }
      }
      repeated = await ask<SenderReport>({ ask: 'retries', transfers, times: deliveries });
    } finally {
      await sender.end();
      await receiver.close();
      await stopCheckpoints();
      engine.close();
    }
    const taken = answers['204'] ?? 0;
    const others = (report: SenderReport): number =>
      Object.entries(report).reduce((sum, [status, count]) => sum + (status === '204' ? 0 : count), 0);
    return {
      name: '500 webhooks a second',
      ratios: orderRatios(times, 'webhooks'),
      figures: [
        { label: 'webhooks acknowledged a second', value: (taken / loadedMs) * 1000, unit: '' },
        { label: 'batches a second, each a commit', value: (batchesMs.length / loadedMs) * 1000, unit: '' },
        { label: 'main thread held by a batch, p50', value: percentile(batchesMs, 0.5), unit: 'ms' },
        { label: 'main thread held by a batch, p99', value: percentile(batchesMs, 0.99), unit: 'ms' },
        { label: "main thread's time a webhook, commit in it", value: batchesMs.reduce((sum, ms) => sum + ms, 0) / taken, unit: 'ms' },
        { label: `deliveries of ${transfers} transfers, ${deliveries} of each, acknowledged`, value: repeated['204'] ?? 0, unit: '' },
        { label: 'answers other than 204', value: others(answers) + others(repeated), unit: '' },
        { label: 'deposits in the ledger less transfers', value: depositsIn(join(folder, 'engine.db')) - taken - transfers, unit: '' },
      ],
    };
  });
}

function depositsIn(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    return Number(database.prepare("SELECT count(*) FROM ledger WHERE kind = 'deposit'").pluck().get());
  } finally {
    database.close();
  }
}
