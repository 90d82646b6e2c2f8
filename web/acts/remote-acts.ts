import type { RemoteActionView } from '#server/page/past-view.ts';
import type { ActRequest, FormField, FormValues } from './act-request.ts';

const NOT_KNOWN = 'The answer only confirms the request. Kairos then checks whether it was done, and shows it here and below.';

/** The request that `kairos remote` makes through a running daemon, confirmed by a person. */
const request = (action: string, said: (filled: FormValues) => Readonly<Record<string, unknown>>) => (filled: FormValues) => ({
  action,
  arguments: said(filled),
  confirm: true,
});

function onOne(
  strategyId: string,
  {
    action,
    ...asked
  }: Pick<ActRequest, 'title' | 'says' | 'button'> & {
    readonly action: string;
    readonly tone?: ActRequest['tone'];
    readonly fields?: readonly FormField[];
    readonly said?: (filled: FormValues) => Readonly<Record<string, unknown>>;
  },
): ActRequest {
  const { title, says, button, tone = 'plain', fields = [], said = () => ({}) } = asked;
  return {
    title,
    says: [...says, NOT_KNOWN],
    facts: [],
    tone,
    button,
    act: 'remote',
    fields,
    body: request(action, (filled) => ({ strategyId, ...said(filled) })),
    done: 'Sent to the service.',
    follow: 'remote',
  };
}

export const startRemote = (id: string): ActRequest =>
  onOne(id, {
    action: 'start',
    title: `Start ${id}`,
    says: [`Lets ${id} trade at the service, with real orders of its own.`],
    button: 'Start',
  });

export const pauseRemote = (id: string): ActRequest =>
  onOne(id, {
    action: 'pause',
    title: `Pause ${id}`,
    says: [`Pauses ${id} at the service until it is started again.`],
    button: 'Pause',
  });

export const pauseOpenings = (id: string): ActRequest =>
  onOne(id, {
    action: 'schedule-opening-pause',
    title: `Pause the openings of ${id}`,
    says: [`Between the two times ${id} opens nothing at the service; it may still close what it holds.`],
    button: 'Pause openings',
    fields: [
      { kind: 'moment', name: 'begin', label: 'From (UTC)' },
      { kind: 'moment', name: 'end', label: 'To (UTC)' },
    ],
    said: ({ begin, end }) => ({ fromTime: zoned(begin), toTime: zoned(end) }),
  });

export const flushRemote = (id: string): ActRequest =>
  onOne(id, {
    action: 'flush',
    title: `Flush ${id}`,
    says: [
      `Reduces the positions of ${id} at the service to a share of their present size: 0 closes them. This cannot be undone.`,
      'It is sent once and never repeated automatically.',
    ],
    tone: 'stop',
    button: 'Flush',
    fields: [
      { kind: 'decimal', name: 'long', label: 'Of the long position, keep', initial: '0', unit: '%' },
      { kind: 'decimal', name: 'short', label: 'Of the short position, keep', initial: '0', unit: '%' },
    ],
    said: ({ long, short }) => ({ longPositionTargetPercentage: Number(long), shortPositionTargetPercentage: Number(short) }),
  });

export const stopRemote = (id: string): ActRequest =>
  onOne(id, {
    action: 'stop',
    title: `Stop ${id} for good`,
    says: [`Ends ${id} at the service. It cannot be started again: pause it if it shall go on later.`],
    tone: 'stop',
    button: 'Stop for good',
  });

export const deleteRemote = (id: string): ActRequest =>
  onOne(id, {
    action: 'delete',
    title: `Delete ${id}`,
    says: [`Deletes ${id} at the service. This cannot be undone.`],
    tone: 'stop',
    button: 'Delete',
    fields: [{ kind: 'word', name: 'typed', label: `Type its id, ${id}`, word: id }],
  });

const onAll = (action: 'pauseAll' | 'resumeAll', asked: Pick<ActRequest, 'title' | 'says' | 'button' | 'tone'>): ActRequest => ({
  ...asked,
  facts: [],
  act: 'remote',
  fields: [],
  body: request(action, () => ({})),
  done: 'Sent to the service.',
  follow: 'remote',
});

export const pauseAllRemote = (): ActRequest =>
  onAll('pauseAll', {
    title: 'Pause all strategies at the service',
    says: [
      'Pauses every strategy of the account, also those of others. Kairos goes on trading by itself: HALT stops that.',
      'The service does not say which strategies it reached, so the result stays unverified. Look at the list afterwards.',
    ],
    tone: 'stop',
    button: 'Pause all at the service',
  });

export const resumeAllRemote = (): ActRequest =>
  onAll('resumeAll', {
    title: 'Resume all strategies at the service',
    says: [
      'Every paused strategy of the account trades again, also those that are not yours and those that somebody paused on purpose.',
      'The service does not say which strategies it reached, so the result stays unverified. Look at the list afterwards.',
    ],
    tone: 'stop',
    button: 'Resume all at the service',
  });

/** Settles a create whose answer was lost: `isCreated` asks for the id that it created. */
export function settleCreate({ actionId }: RemoteActionView, isCreated: boolean): ActRequest {
  const shared = { facts: [], tone: 'plain', act: 'settle-create' } as const;
  const lost = `The answer to create ${actionId} was lost. Read the strategies at the service first: an idle one may come from this create.`;
  if (!isCreated) {
    return {
      ...shared,
      title: `Create ${actionId} left nothing`,
      says: [lost, 'Journals that nothing was created; another create may be asked for then.'],
      button: 'Nothing was created',
      fields: [],
      body: () => ({ actionId, strategyId: null }),
      done: 'Settled: nothing was created.',
    };
  }
  return {
    ...shared,
    title: `Create ${actionId} left a strategy`,
    says: [lost, 'Journals the id of the strategy that it left; another create may be asked for then.'],
    button: 'It was created',
    fields: [{ kind: 'text', name: 'strategyId', label: 'Its id at the service' }],
    body: ({ strategyId }) => ({ actionId, strategyId }),
    done: 'Settled: it was created.',
  };
}

/** The value of a date-time field in UTC, with or without seconds. */
const zoned = (moment: string | undefined): string => new Date(`${moment}Z`).toISOString();
