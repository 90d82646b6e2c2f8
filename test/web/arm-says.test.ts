import { expect, test } from 'vitest';
import { ARMED_ELSEWHERE } from '#domain/armed-elsewhere.ts';
import { armSays } from '../../web/words/arm-says.ts';

const says = (unrehearsed: boolean, elsewhere: string | null = null): string =>
  armSays({ unrehearsed, elsewhere, before: null, differences: [] }).join(' ');

test('row 8: what arms on the page says that nothing was rehearsed, and what to type', () => {
  expect(says(true)).toMatch(/Nothing was rehearsed at this service.*`kairos rehearse PRODUCT --live`/);
  expect(says(false)).not.toMatch(/rehears/);
});

test('what arms on the page says first that the journal was armed in another place, as the command does', () => {
  expect(says(false, ARMED_ELSEWHERE)).toMatch(/^ARMED IN ANOTHER PLACE: this journal is a copy/);
  expect(says(false)).not.toContain('ANOTHER PLACE');
});
