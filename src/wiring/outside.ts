import { never } from '../domain/errors.ts';
import type { ActionAnswer, InboxEvent } from '../domain/event.ts';
import type { Timers } from '../ports/timers.ts';
import { makeBackup } from './backups.ts';
import type { Settings } from './config/settings.ts';
import type { OrderLine } from './order-line.ts';
import { sealNow } from './recordings-thread.ts';
import type { Act, OutsideAction } from './scheduled-actions.ts';

/** Does what the engine asks for outside of itself; each answer enters by the inbox. */
export function outside(options: {
  readonly line: Pick<OrderLine, 'askPauseAll'>;
  readonly settings: Pick<Settings, 'journal' | 'recording'>;
  readonly timers: Pick<Timers, 'wallMs'>;
  readonly post: (event: InboxEvent) => void;
}): Act {
  const { line, settings, timers, post } = options;
  const perform = (actionId: string, action: OutsideAction): Promise<ActionAnswer> => {
    switch (action) {
      case 'remote.pauseAll':
        return line.askPauseAll(actionId);
      case 'bot.backup':
        return makeBackup(actionId, settings.journal, timers.wallMs());
      case 'bot.seal':
        return sealNow(actionId, settings.recording, timers.wallMs());
      default:
        return never(action);
    }
  };
  return (actionId, action) => void perform(actionId, action).then((answer) => post({ kind: 'action', answer }));
}
