import type { SweepAct } from '#domain/sweep-act.ts';
import type { SweepView } from '#server/fleet/view.ts';
import type { ActRequest } from '../acts/act-request.ts';

const plain = { facts: [], fields: [], act: 'sweep' } as const;

const WORDS: Readonly<Record<SweepAct, Pick<ActRequest, 'title' | 'tone' | 'says' | 'button' | 'done'>>> = {
  pause: {
    title: 'Pause the sweep',
    tone: 'plain',
    says: ['No more jobs of it are given out until it is resumed. What workers play now they play to its end, and it counts.'],
    button: 'Pause',
    done: 'Asked to pause: its row says so as soon as its coordinator has heard it.',
  },
  resume: {
    title: 'Resume the sweep',
    tone: 'plain',
    says: ['Jobs of it are given out again.'],
    button: 'Resume',
    done: 'Asked to go on.',
  },
  stop: {
    title: 'Stop the sweep',
    tone: 'stop',
    says: [
      'Ends it as Ctrl-C does at its own terminal: what is finished is kept, ranked and shown there.',
      'It goes on by the same command on the machine of its coordinator.',
    ],
    button: 'Stop',
    done: 'Asked to stop.',
  },
};

/** A question to a person before a sweep is paused, resumed or stopped. */
export const sweepAsk = ({ sweep, host }: SweepView, ask: SweepAct): ActRequest => ({
  ...plain,
  ...WORDS[ask],
  facts: [
    { key: 'sweep', value: sweep },
    { key: 'coordinator', value: host },
  ],
  body: () => ({ sweep, ask }),
});
