import { expect, test } from 'vitest';
import { armSays } from '../../web/words/arm-says.ts';

const says = (unrehearsed: boolean): string => armSays({ unrehearsed, before: null, differences: [] }).join(' ');

test('row 8: what arms on the page says that nothing was rehearsed, and what to type', () => {
  expect(says(true)).toMatch(/Nothing was rehearsed at this service.*`kairos rehearse PRODUCT --live`/);
  expect(says(false)).not.toMatch(/rehears/);
});
