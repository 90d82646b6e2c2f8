import type { ChatActs } from '#adapters/alerts/telegram-commands.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import type { Settings } from '#config/settings.ts';
import { endText, latchesText } from '#domain/latch-ends.ts';
import { amountText } from '#domain/money-text.ts';
import { strategyId } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';
import { performAct, performHalt } from './acts.ts';
import { saidByDaemon } from './said-by-daemon.ts';

/** What a chat may do to the daemon of these settings, also while it hangs or does not run. */
export function chatActsOf(settings: Settings, timers: Timers): ChatActs {
  const { path } = settings.journal;
  return {
    status: () => statusText(path),
    async halt(by) {
      const { shutMs, pid } = await performHalt(by, path, timers);
      const found = pid === null ? 'no daemon runs; its next start is halted' : `the gate was found shut after ${shutMs} ms`;
      return `halted: ${found}`;
    },
    async pause(by, strategy) {
      const { journaled } = await performAct(
        { act: 'pause', strategy: strategy === null ? null : strategyId(strategy), ...by },
        settings,
        timers,
      );
      return `paused: ${strategy ?? 'all strategies'}; positions are still closed${journaled ? '' : '; not journaled yet'}`;
    },
  };
}

/** What stands, what is held and what is unknown, by the journal and the daemon if it answers. */
async function statusText(path: string): Promise<string> {
  const live = await saidByDaemon('state', path);
  const journal = JournalReader.open(path);
  try {
    const { running, latches, positions, orders, run } = statusReport(journal);
    const daemon = live ? 'runs' : running ? 'DOES NOT ANSWER' : 'DOES NOT RUN';
    const { profitOfDay = null, currency = '' } = live?.money ?? {};
    return [
      `${(run?.mode ?? 'never run').toUpperCase()}: the daemon ${daemon}`,
      ...(latches.length === 0 ? [] : [`${latchesText(latches)}; ${endText(latches)}`]),
      ...(live?.notReady ?? []),
      ...((orders.unknown ?? 0) > 0 ? [`${orders.unknown} of unknown outcome: kairos doctor`] : []),
      ...positions.map(({ book, product, size }) => `${book} holds ${size} of ${product}`),
      ...(positions.length === 0 ? ['nothing is held'] : []),
      ...(profitOfDay === null ? [] : [`today ${amountText(profitOfDay, currency)}`]),
    ].join('\n');
  } finally {
    journal.close();
  }
}
