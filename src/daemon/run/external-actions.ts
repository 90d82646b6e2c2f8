import type { Settings } from '#config/settings.ts';
import type { Act, OutsideAct } from '#core/engine/outside-act.ts';
import { askAndLook } from '#daemon/operations/remote/remote-service.ts';
import { writeReport } from '#daemon/operations/report/write-report.ts';
import { messageOf } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import { type RemoteAnswer, remoteAskOf } from '#domain/remote.ts';
import type { Timers } from '#ports/timers.ts';
import { type copyJournal, makeBackup, type NewestBackup } from './backups.ts';
import type { OrderLine } from './order-line.ts';
import { sealNow } from './record/keep-recordings.ts';

/** Receives an action's answer, and whether another follows. */
type AnswerReceiver = (answer: RemoteAnswer, more: boolean) => void;

/**
 * Performs the engine's external actions, each within its deadline; each answer enters by the inbox. A request to the
 * service is reported when it is answered, and again once its effect is read back or the deadline is over. Once `ended` is aborted
 * nothing of them goes on; the next start journals what was left open.
 */
export function externalActions(options: {
  readonly line: Pick<OrderLine, 'strategies'>;
  readonly settings: Pick<Settings, 'journal' | 'recording'>;
  /** The place of the journal, by `instanceOf`. */
  readonly instance: string;
  /** Learns of each backup. */
  readonly newestBackup: Pick<NewestBackup, 'at'>;
  readonly timers: Pick<Timers, 'wallMs' | 'after'>;
  readonly post: (event: InboxEvent) => void;
  /** Copies the journal without blocking the loop. */
  readonly copyJournal: typeof copyJournal;
  readonly ended: AbortSignal;
}): Act {
  const { line, settings, instance, newestBackup, timers, post, copyJournal: copy, ended } = options;
  const perform = async (
    { actionId, action, arguments: given, deadlineMs: withinMs }: OutsideAct,
    signal: AbortSignal,
    told: AnswerReceiver,
  ): Promise<void> => {
    const when = { now: timers.wallMs(), signal };
    switch (action) {
      case 'bot.backup': {
        const made = await makeBackup(actionId, { ...settings.journal, instance }, { ...when, copy });
        if (made.status === 'confirmed') newestBackup.at = when.now;
        return told(made, false);
      }
      case 'bot.seal':
        return told(await sealNow(actionId, settings.recording, when), false);
      case 'bot.report':
        return told(await writeReport(actionId, settings, { ...when, dir: String(given.dir) }), false);
      default: {
        const remote: `remote.${string}` = action;
        // No scheduled action has a size or price that a product's limits would apply to.
        const asked = remoteAskOf(remote.slice('remote.'.length), given);
        return askAndLook(asked, { strategies: line.strategies, timers }, told, { withinMs, signal });
      }
    }
  };
  return (asked) => {
    const { actionId, action, deadlineMs } = asked;
    const deadline = new AbortController();
    let last: RemoteAnswer | null = null;
    let over = false;
    const told: AnswerReceiver = (answer, more) => {
      if (over) return;
      last = answer;
      if (!more) end();
      post({ kind: 'action', answer: { ...answer, actionId, ...(more && { more }) } });
    };
    const cancel = timers.after(deadlineMs, () => {
      told(lateAnswer(asked, last), false);
      // The deadline ends our own work. A request to the service ends by itself, with an unknown outcome.
      deadline.abort();
    });
    const end = (): void => {
      over = true;
      cancel();
      ended.removeEventListener('abort', leave);
    };
    const leave = (): void => {
      end();
      deadline.abort();
    };
    ended.addEventListener('abort', leave);
    perform(asked, deadline.signal, told).catch((error: unknown) =>
      told({ status: 'failed', httpStatus: null, response: `${action}: ${messageOf(error)}` }, false),
    );
  };
}

function lateAnswer({ action, deadlineMs }: OutsideAct, last: RemoteAnswer | null): RemoteAnswer {
  const within = `within its deadline of ${deadlineMs / 1000} s`;
  if (!action.startsWith('remote.')) return { status: 'failed', httpStatus: null, response: `not done ${within}, and ended` };
  if (last === null) return { status: 'unverified', httpStatus: null, response: `no answer ${within}` };
  const response = [last.response, `it could not be read back ${within}`].filter((text) => text !== '').join('; ');
  return { ...last, status: 'unverified', response, notShown: true };
}
