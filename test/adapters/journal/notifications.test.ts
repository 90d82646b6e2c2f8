import { expect, onTestFinished, test } from 'vitest';
import { NotificationReader } from '#adapters/journal/notifications.ts';
import { isoTime } from '#domain/names.ts';
import type { NotificationDetail } from '#domain/notification.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { row, START } from './rows.ts';

/** A notification as it was journaled at a second; a later one of its id takes its place. */
const notified = (n: number, over: Partial<NotificationDetail> = {}) => {
  const received = { id: `n${n}`, receivedAt: isoTime(START + n * 1000), type: 'DEPOSIT', transferId: null, body: `{"n":${n}}`, by: null };
  return row('notification', { ...received, status: 'booked', ...over }, { n });
};

function reader(...rows: readonly ReturnType<typeof notified>[]): NotificationReader {
  const opened = NotificationReader.open(JournalInMemory.of(...rows).kept());
  onTestFinished(() => opened.close());
  return opened;
}

test('a notification is found by its id, as it stands now', () => {
  const of = reader(notified(1, { status: 'late' }), notified(2), notified(1, { type: 'TRANSFER', transferId: 't', body: 'b' }));
  expect(of.find('n1')).toEqual({
    ...{ id: 'n1', received_at: '2026-11-21T03:00:01.000Z', type: 'TRANSFER' },
    ...{ transfer_id: 't', status: 'booked', body: 'b' },
  });
  expect(of.find('n3')).toBeUndefined();
});

test('those of one transfer tell a repeated notification from a conflict, oldest first', () => {
  const of = reader(
    notified(1, { transferId: 't' }),
    notified(2, { transferId: 'u' }),
    notified(3, { transferId: 't', status: 'conflict' }),
  );
  expect(of.ofTransfer('t').map(({ id, status }) => [id, status])).toEqual([
    ['n1', 'booked'],
    ['n3', 'conflict'],
  ]);
  expect(of.ofTransfer('x')).toEqual([]);
});

test('without a transfer, the very body tells it', () => {
  const of = reader(notified(1, { body: 'same' }), notified(2, { body: 'of a transfer', transferId: 't' }));
  expect(['same', 'same ', 'of a transfer'].map((body) => of.hasBody(body))).toEqual([true, false, false]);
});

test('the newest are listed first, of a status where one is named', () => {
  const of = reader(notified(1), notified(2, { status: 'late' }), notified(3));
  const ids = (limit: number, status: string | null) => of.newest(limit, status).map(({ id }) => id);
  expect([ids(9, null), ids(2, null), ids(9, 'booked'), ids(9, 'conflict')]).toEqual([['n3', 'n2', 'n1'], ['n3', 'n2'], ['n3', 'n1'], []]);
});

test('closed, a reader leaves the journal alone', () => {
  const path = JournalInMemory.of(notified(1)).kept();
  const opened = NotificationReader.open(path);
  expect(openFiles()).toContain(path);
  opened.close();
  expect(openFiles()).not.toContain(path);
});
