import { messageOf } from '../../domain/errors.ts';
import type { ActionAnswer, InboxEvent } from '../../domain/event.ts';
import { remoteAskOf } from '../../domain/remote.ts';
import type { Timers } from '../../ports/timers.ts';
import type { Settings } from '../config/settings.ts';
import type { Act, OutsideAct } from '../engine/scheduled-actions.ts';
import { sealNow } from '../recording/recordings-thread.ts';
import { writeReport } from '../report/report-thread.ts';
import { makeBackup } from './backups.ts';
import type { OrderLine } from './order-line.ts';

/** Does what the engine asks for outside of itself, each within its deadline; each answer enters by the inbox. */
export function outside(options: {
  readonly line: Pick<OrderLine, 'askRemote'>;
  readonly settings: Pick<Settings, 'journal' | 'recording'>;
  readonly timers: Pick<Timers, 'wallMs' | 'after'>;
  readonly post: (event: InboxEvent) => void;
}): Act {
  const { line, settings, timers, post } = options;
  const perform = async ({ actionId, action, arguments: given }: OutsideAct, signal: AbortSignal): Promise<ActionAnswer> => {
    const when = { now: timers.wallMs(), signal };
    switch (action) {
      case 'bot.backup':
        return makeBackup(actionId, settings.journal, when);
      case 'bot.seal':
        return sealNow(actionId, settings.recording, when);
      case 'bot.report':
        return writeReport(actionId, settings, { ...when, dir: String(given.dir) });
      default:
        return { actionId, ...(await line.askRemote(remoteAskOf(action.slice('remote.'.length), given))) };
    }
  };
  return (asked) => {
    const { actionId, action, deadlineMs } = asked;
    const deadline = new AbortController();
    const late = Promise.withResolvers<ActionAnswer>();
    const cancel = timers.after(deadlineMs, () => {
      deadline.abort();
      late.resolve(lateAnswer(asked));
    });
    // Work of our own is ended by the deadline; what was asked of the service ends by itself, and nobody knows what came of it.
    void Promise.race([perform(asked, deadline.signal), late.promise])
      .catch(
        (error: unknown): ActionAnswer => ({ actionId, status: 'failed', httpStatus: null, response: `${action}: ${messageOf(error)}` }),
      )
      .then((answer) => {
        cancel();
        post({ kind: 'action', answer });
      });
  };
}

function lateAnswer({ actionId, action, deadlineMs }: OutsideAct): ActionAnswer {
  const within = `within its deadline of ${deadlineMs / 1000} s`;
  return action.startsWith('remote.')
    ? { actionId, status: 'unverified', httpStatus: null, response: `no answer ${within}` }
    : { actionId, status: 'failed', httpStatus: null, response: `not done ${within}, and ended` };
}
