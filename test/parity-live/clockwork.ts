import { buy, observe, param, sell, strategy } from 'kairos/strategy';
import { map, merge } from 'rxjs';

/** Acts on timers alone: in and out at each beat of `every`, and flat at each time of `at`, whatever quotes do between. */
export default strategy({
  name: 'clockwork',
  params: { everySeconds: param.int(3, { min: 1 }), flatEverySeconds: param.int(20, { min: 2, max: 59 }) },
  state: { initial: { beats: 0 }, on: ({ beats }, event) => (event.type === 'signal' ? { beats: beats + 1 } : { beats }) },
  signals: ({ every, at }, { everySeconds, flatEverySeconds }) =>
    merge(every(`${everySeconds}s`).pipe(map(() => 'beat')), at(`*/${flatEverySeconds} * * * * *`).pipe(map(() => 'flat'))).pipe(
      observe('hand'),
    ),
  decide: (hand, { position, amount, random, state: { beats } }) => {
    if (position.isLong) return hand === 'flat' || random() < 0.5 ? sell('position', `beat ${beats}`, { within: '2s' }) : undefined;
    return hand === 'beat' ? buy(amount, `beat ${beats}`, { within: '2s' }) : undefined;
  },
});
