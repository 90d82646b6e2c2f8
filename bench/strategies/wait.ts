import { above, mid, observe, sell, sma, strategy } from 'kairos/strategy';

/** The signals of `sma-cross`, asked at every quote; it closes what it never opened, so nothing comes of it. */
export default strategy({
  name: 'wait',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), above(observe('fast', sma(20)), observe('slow', sma(60)))),
  decide: (standing, { position }) => (standing === 'below' && position.isLong ? sell('position', 'fast below slow') : undefined),
});
