import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { controlFiles, type HaltNote, readHalt, writeHalt } from '#adapters/journal/control-files.ts';
import type { ChildOrderResult } from '#core/execution/child-order-result.ts';
import { Drill } from '#daemon/run/drill.ts';
import type { Command } from '#domain/event.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import type { Mode } from '#domain/mode.ts';
import { orderId } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const ORDER = orderId('7-1');
const sent: ChildOrderResult = { kind: 'sent', orderId: ORDER };
const STOPPED: ExecutionReport = { type: 'not_sent', reason: 'GATE_HALTED', why: 'halted' };
const by = { who: 'ann', why: 'every Monday' };

interface World {
  readonly mode?: Mode;
  readonly isHalted?: boolean;
  readonly openOrders?: number;
  /** What the order placer makes of the order that is tried. */
  readonly attempt?: ChildOrderResult;
  /** What the broker says of it; undefined: nothing. */
  readonly report?: ExecutionReport;
  readonly watchdogSees?: boolean;
  /** Done when the order is tried. */
  readonly meanwhile?: (halt: string) => void;
}

function drillIn({ mode = 'paper', isHalted = false, openOrders = 0, attempt = sent, report, watchdogSees = true, meanwhile }: World) {
  const folder = newFolder();
  const files = controlFiles(path.join(folder, 'kairos.db'));
  const timers = new VirtualTimers();
  const commands: Command[] = [];
  const halts: HaltNote[] = [];
  const drill = new Drill({
    mode,
    files,
    timers,
    engine: { isHalted, openOrders, drillOrder: attempt },
    handleNow: (command) => {
      commands.push(command);
      if (command.act === 'drill') {
        meanwhile?.(files.halt);
        if (report) drill.heard(ORDER, report);
      }
      return true;
    },
    halt: (note) => halts.push(note),
  });
  const perform = async () => {
    const result = drill.perform(by);
    result.catch(() => {});
    const note = readHalt(files.halt);
    const own = watchdogSees && note !== undefined && drill.isOwn(note);
    // What the file and the order placer bring about comes in later turns of the loop; the drill's own deadlines then pass.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    timers.advance(5_000);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    timers.advance(5_000);
    return { result: await result, own };
  };
  return { perform, files, commands, halts };
}

test('F75 a drill that the gate stops has passed, and leaves no file behind', async () => {
  const { perform, files, commands, halts } = drillIn({ report: STOPPED });
  const { result, own } = await perform();
  expect(own).toBe(true);
  expect(result).toMatchObject({ verdict: 'passed', orderId: '7-1' });
  expect(commands.map(({ act }) => act)).toEqual(['drill', 'drilled']);
  expect(commands.at(-1)).toMatchObject({ who: 'ann', why: 'every Monday', result: { verdict: 'passed' } });
  expect(existsSync(files.halt)).toBe(false);
  expect(halts).toEqual([]);
});

test.each<[string, World, string, string]>([
  [
    'a gate that lets the order out',
    { report: { type: 'written', timeLeftMs: 1, signatureAgeMs: 0, at: 0 } },
    'failed',
    'the gate let the order out',
  ],
  ['a watchdog that does not look', { watchdogSees: false }, 'failed', 'the watchdog did not see the file'],
  ['no word of the order', {}, 'failed', 'the order was not reported'],
  [
    'an order that is refused',
    { attempt: { kind: 'refused', reason: 'MAX_SPREAD', checks: [] } },
    'inconclusive',
    'no order could be tried: MAX_SPREAD',
  ],
  ['no quote', { attempt: { kind: 'nothing' } }, 'inconclusive', 'no order could be tried: no lane has a quote to use'],
  [
    'a connection that is not there',
    { report: { type: 'not_sent', reason: 'NOT_CONNECTED', why: 'refused' } },
    'inconclusive',
    'the order was stopped by something else: NOT_CONNECTED',
  ],
])('%s is no pass', async (_what, world, verdict, outcome) => {
  const { perform, files, commands } = drillIn(world);
  expect((await perform()).result).toMatchObject({ verdict, outcome });
  expect(commands.at(-1)).toMatchObject({ act: 'drilled', result: { verdict } });
  expect(existsSync(files.halt)).toBe(false);
});

test.each<[string, World, RegExp]>([
  ['live', { mode: 'live' }, /this is live$/],
  ['halted', { isHalted: true }, /halted already/],
  ['with an order on its way', { openOrders: 1 }, /in flight/],
])('%s a drill is refused, with nothing done', async (_what, world, why) => {
  const { perform, files, commands } = drillIn(world);
  await expect(perform()).rejects.toMatchObject({ code: 'DRILL_REFUSED', message: expect.stringMatching(why) });
  expect(commands).toEqual([]);
  expect(existsSync(files.halt)).toBe(false);
});

test('I07 a real halt by file in the middle of a drill stands', async () => {
  const real = { who: 'bob', why: 'this one is meant' };
  const { perform, files, halts } = drillIn({ report: STOPPED, meanwhile: (halt) => writeHalt(halt, real, 0) });
  await perform();
  expect(halts).toEqual([real]);
  expect(readHalt(files.halt)).toEqual(real);
});
