import '../../scripts/ensure-node.mjs';
import { scriptValues } from '#assembly/script-options.ts';
import { soak } from './soak.ts';

/** `npm run soak`: 72 hours of 1,000 lanes in virtual time, in this process. Prints what is held after each part; ends with 1 where something grows. */
const values = scriptValues({
  name: 'soak',
  does: 'runs a daemon and its venue for days of virtual time; memory, timers, handles and the growth of the journal must stay flat',
  options: {
    hours: { type: 'string', default: '72', value: 'N', says: 'hours of virtual time' },
    lanes: { type: 'string', default: '1000', value: 'N', says: 'lanes, each with a strategy' },
    every: { type: 'string', default: '60', value: 'N', says: 'seconds between two quotes of a lane' },
  },
});

const begun = performance.now();
const { faults } = await soak({
  hours: Number(values.hours),
  lanes: Number(values.lanes),
  everySeconds: Number(values.every),
  onLook: ({ heapMb, ...counts }, share) => {
    const figures = Object.entries({ 'heap MB': heapMb.toFixed(0), ...counts }).map(([name, figure]) => `${figure} ${name}`);
    console.log(`${(share * Number(values.hours)).toFixed(1)} h: ${figures.join(', ')}`);
  },
});
for (const fault of faults) console.log(`! ${fault}`);
console.log(`${faults.length === 0 ? 'flat' : 'NOT FLAT'}, after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
process.exitCode = faults.length === 0 ? 0 : 1;
