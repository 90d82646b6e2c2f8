import { observe, param, seeded, strategy, timestamp, towards } from 'kairos/strategy';
import { map, scan } from 'rxjs';

/** Flips a coin at the first quote of each period: heads is long until the next flip, tails is flat. A benchmark of pure luck. */
export default strategy({
  name: 'coin-flip',
  params: { seed: param.int(1), everySeconds: param.int(60, { min: 1 }) },
  signals: ({ quotes$ }, { seed, everySeconds }) =>
    quotes$.pipe(
      timestamp(),
      map(({ timestamp: now }) => Math.floor(now / (everySeconds * 1000))),
      scan((last, period) => (period === last.period ? last : { period, coin: flip(seed, period) }), { period: -1, coin: 'tails' }),
      map(({ coin }) => coin),
      observe('coin'),
    ),
  decide: (coin, view) => towards(coin === 'heads' ? 'long' : 'flat', view, { reason: coin }),
});

/** The same period falls the same way in every run, so a restart does not flip again. */
const flip = (seed: number, period: number): string => (seeded(`${seed}/${period}`).next() < 0.5 ? 'heads' : 'tails');
