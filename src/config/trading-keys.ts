import { key } from '#domain/settings/key.ts';
import { choice, or, whole } from '#domain/settings/kind.ts';
import { crashHalt, duration } from '#domain/settings/spans.ts';

/** What one strategy, and all together, may take of the machine. */
export const USE_KEYS = {
  maxStrategyMs: key(
    or('off', whole({ min: 10, max: 2_500 })),
    250,
    'how long one strategy may work at one event, in milliseconds; the third time over it within a minute is told, the fifth disables it; or off',
  ),
  maxMemoryMb: key(
    or('off', whole({ min: 128, max: 65_536 })),
    400,
    'heap and buffers of the process in MB, above which the strategy that added most is disabled; half as much again ends the process; or off',
  ),
};

/** How trading starts, and what changes its state by itself. */
export const ARMING_KEYS = {
  arm: key(
    choice(['auto', 'manual']),
    'manual',
    'manual: each new configuration trades once a person has armed it; auto: at once; in dry mode as on loopback',
    {
      onLoopback: 'auto',
      inDry: 'auto',
    },
  ),
  rearmAfter: key(or('never', duration), 'never', 'how long after a loss, rejections or a crash openings go on by themselves, or never'),
  crashHalt: key(or('off', crashHalt), '3 in 10m', 'crashes within a time, after which trading halts, or off; in dry mode as on loopback', {
    onLoopback: 'off',
    inDry: 'off',
  }),
};
