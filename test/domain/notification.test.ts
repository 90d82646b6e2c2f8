import { expect, test } from 'vitest';
import { isNotificationState, NOTIFICATION_STATES } from '#domain/notification.ts';

test('the states of a notification are known by their names, and no other word is one', () => {
  expect(NOTIFICATION_STATES.filter(isNotificationState)).toEqual([
    ...['booked', 'other_user', 'unknown_type', 'unreadable', 'late', 'conflict'],
  ]);
  expect(['', 'book', 'BOOKED', 'paid'].filter(isNotificationState)).toEqual([]);
});
