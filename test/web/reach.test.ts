import { expect, test } from 'vitest';
import { knownTrading, titleOf, unreached } from '../../web/words/reach.ts';

const HALT = 'npx kairos halt --set journal.path=/srv/bot/var/kairos.db';

test('a page that has lost its daemon promises no halt: it shows the command that stops it, and sends nothing else', () => {
  expect(unreached('halt', 'live', HALT)).toBeNull();
  expect(unreached('halt', 'lost', HALT)).toMatchObject({ command: HALT, button: 'Try from here as well' });
  expect(unreached('halt', 'lost', HALT)?.says.join(' ')).toContain('may not arrive');
  expect(unreached('resume', 'lost', HALT)).toMatchObject({ command: null, button: null });
});

test('the state of trading is unknown while nothing is heard, in the bar and in the title', () => {
  const state = { mode: 'paper', trading: 'ACTIVE', unknowns: 0 };
  expect([knownTrading('ACTIVE', 'live'), knownTrading('ACTIVE', 'lost')]).toEqual(['ACTIVE', 'UNKNOWN']);
  expect(titleOf(state, { name: 'btc-bot', reach: 'live' })).toBe('PAPER · btc-bot · Kairos');
  expect(titleOf({ ...state, unknowns: 2 }, { name: 'btc-bot', reach: 'lost' })).toBe('UNKNOWN · 2 unknown · PAPER · btc-bot · Kairos');
});

test('a page that finds another daemon behind its address sends it nothing, not even a halt', () => {
  for (const act of ['halt', 'resume']) {
    expect(unreached(act, 'other', HALT)).toEqual({ says: [expect.stringContaining('Another daemon')], command: null, button: null });
  }
  expect(knownTrading('ACTIVE', 'other')).toBe('UNKNOWN');
});
