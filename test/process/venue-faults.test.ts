import { afterAll, describe, expect, test } from 'vitest';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { FAULT_NAMES, readFault, type VenueFault } from '#paper-venue/faults/catalogue.ts';
import { parityOf } from '#research/parity/parity.ts';
import { ledgerChanges, rowsOf, venueChanges } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { faultyRun } from '../support/faulty-run.ts';
import { freePort } from '../support/free-port.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';
import { settleFromVenue } from '../support/settle-from-venue.ts';

/** A fault after its numbers, what the daemon must have told, journaled or counted, and settings of the daemon. */
type Row = readonly [fault: string, meets: readonly RegExp[], ...set: readonly string[]];

const ASKS = 'service.capabilities=[order-query]';
const BY_DATE = 'clock.source=date';
const PAUSE_ALL = 'schedule=[{ name: p, cron: "* * * * * *", action: remote.pauseAll }]';

const ROWS: readonly Row[] = [
  ['F03 F04 lost-answers=40%', [/unknown NO_ANSWER/, /resolved SERVICE_ASKED/], ASKS],
  ['F10 server-errors=60%', [/unknown HTTP_AMBIGUOUS/, /resolved SERVICE_ASKED/], ASKS],
  ['F05 F12 slow-answers=100%', [/unknown NO_ANSWER/, /accepted LATE_ANSWER/]],
  ['F06 unreadable-answers=100%', [/unknown HTTP_UNREADABLE/, /resolved SERVICE_ASKED/], ASKS],
  ['F09 F15 rejections=100%', [/rejected HTTP_REFUSED/, /reducing REJECTION_STREAK/]],
  ['F09 too-many-requests=100%', [/rejected HTTP_REFUSED/, /refused SERVICE_WAIT/]],
  ['F11 redirects=100%', [/unknown HTTP_AMBIGUOUS/, /halted MAX_UNKNOWN/]],
  ['F07 F08 refused-keys=100%', [/rejected HTTP_(UNAUTHORIZED|FORBIDDEN)/, /halted (SECOND_UNAUTHORIZED|HTTP_FORBIDDEN)/]],
  ['F18 token-expired=100%', [/remote\.pauseAll failed: answered 401/, /accepted HTTP_OK/], PAUSE_ALL],
  ['F24 refused-feed=60%', [/lane acked [2-9]/, /accepted HTTP_OK/]],
  [
    'F28 refused-subscriptions=100%',
    [/is disabled until the service acknowledges it: the service refused the subscription 5 times/, /lane LANE_DISABLED/],
  ],
  ['F26 missing-acks=100%', [/lane lost 1/, /lane opening 2/]],
  [
    'F27 wrong-acks=100%',
    [/is disabled until the service acknowledges it: asked for .* and the service acknowledged/, /lane LANE_DISABLED/],
  ],
  ['F23 dropped-feed=10%', [/lane acked [3-9]/, /accepted HTTP_OK/]],
  ['F21 F22 silent-feed=10%', [/lane LANE_STALE/, /accepted HTTP_OK/]],
  ['F15 short-quotes=60%', [/refused TIME_LEFT/, /accepted HTTP_OK/]],
  ['F30 late-quotes=50%', [/accepted HTTP_OK/]],
  ['F30 repeated-quotes=100%', [/accepted HTTP_OK[\s\S]*accepted HTTP_OK[\s\S]*accepted HTTP_OK/]],
  ['F32 F34 F35 bad-frames=20%', [/a frame was refused/, /quotes have no id/, /accepted HTTP_OK/]],
  ['F33 wild-prices=10%', [/lane LANE_QUARANTINED/, /accepted HTTP_OK/]],
  ['F38 webhook-repeats=100%', [/booked BY_WEBHOOK/], 'webhooks.enabled=true'],
  ['F58 two-clocks=30%', [/contradict each other/, /refused CLOCK_UNSURE/], BY_DATE],
  ['F55 clock-ahead', [/accepted HTTP_OK/], BY_DATE],
  ['F07 clock-ahead', [/rejected HTTP_UNAUTHORIZED/, /halted SECOND_UNAUTHORIZED/]],
  ['all=30%', [/accepted HTTP_OK[\s\S]*accepted HTTP_OK/], ASKS],
];

function faultOf(title: string): VenueFault {
  const read = readFault(title.split(' ').at(-1) ?? '');
  if (typeof read === 'string') throw new Error(`a fault must ${read}`);
  return read;
}

test('every fault is met below', () => {
  expect(new Set(ROWS.map(([title]) => faultOf(title).name))).toEqual(new Set(FAULT_NAMES));
});

describe.concurrent('a daemon meets it with its reason; journal, replay and books are right after it', () => {
  test.for(ROWS)('%s', async ([title, meets, ...set], { expect, onTestFinished }) => {
    const { folder, config, venueDatabase, told } = await faultyRun({ faults: [faultOf(title)], set, meets });
    onTestFinished(() => folder.remove());
    for (const pattern of meets) expect.soft(told).toMatch(pattern);
    const parity = await parityOf({ settings: config.settings, run: 'last', folders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES } });
    expect(parity).toMatchObject({ equal: true, complete: true });
    // What is still unknown is settled as a person would, who looks into the account.
    settleFromVenue(folder.journal, venueDatabase);
    expect(ledgerChanges(folder.journal)).toEqual(venueChanges(venueDatabase));
    const judge = new JournalJudge(folder.journal);
    expect([...judge.look(), ...judge.wholeness()]).toEqual([]);
  });
});

describe('F03 I03 I04 kairos venue --faults lost-answers, and a kairos run against it', () => {
  const folder = new DaemonFolder('lost-answers');
  afterAll(async () => {
    await endAll();
    folder.remove();
  });

  test('orders are unknown and never sent again; the second halts; once they are settled both books agree', async () => {
    const port = await freePort();
    const venue = startKairos(['venue', '--port', String(port), '--faults', 'lost-answers=100%', '--set', 'venue.quotesPerSecond=10'], {
      cwd: folder.path,
    });
    await venue.says(/stop/);
    await venue.says(/FAULTS {4}it misbehaves on purpose: lost-answers=100%/);
    const daemon = startKairos(['run', '--set', `service.baseUrl=http://127.0.0.1:${port}`], {
      cwd: folder.path,
    });
    const halt = () => folder.rows<{ reason: string }>("SELECT reason FROM decisions WHERE kind = 'halted'")[0]?.reason;
    expect(await daemon.until('halt', halt)).toBe('MAX_UNKNOWN');
    daemon.signal('SIGINT');
    expect(await daemon.ended).toMatchObject({ code: 0 });

    const unknown = folder.rows<{ id: string; quote: string }>(
      "SELECT order_id AS id, quote_id AS quote FROM orders WHERE state = 'unknown'",
    );
    expect(unknown.length).toBeGreaterThanOrEqual(2);
    venue.signal('SIGINT');
    const { stderr } = await venue.ended;
    expect(stderr.match(/fault: lost-answers: POST/g)).toHaveLength(unknown.length);
    expect(rowsOf(folder.venue, 'SELECT * FROM refusals')).toEqual([]);
    for (const { id } of unknown) {
      const settled = await kairosHere(['journal', 'resolve', id, '--as', 'accepted', '--yes'], { cwd: folder.path });
      expect(settled).toMatchObject({ code: 0, stderr: '' });
    }
    expect(ledgerChanges(folder.journal)).toEqual(venueChanges(folder.venue));
    expect(await kairosHere(['parity', 'last'], { cwd: folder.path })).toMatchObject({ code: 0 });
    const judge = new JournalJudge(folder.journal);
    expect([...judge.look(), ...judge.wholeness()]).toEqual([]);
  });
});

describe('names on the command line', () => {
  const cwd = new DaemonFolder('fault-names');
  afterAll(() => cwd.remove());

  test('help lists them; a wrong one is refused with the nearest', async () => {
    const [listed, json, wrong] = await Promise.all([
      kairosHere(['venue', '--faults', 'help'], { cwd: cwd.path }),
      kairosHere(['venue', '--faults', 'help', '--json'], { cwd: cwd.path }),
      kairosHere(['venue', '--faults', 'rejections,lost-answer'], { cwd: cwd.path }),
    ]);
    for (const name of FAULT_NAMES) expect(listed.stdout).toMatch(new RegExp(`^${name}\\b`, 'm'));
    expect(JSON.parse(json.stdout)).toHaveLength(FAULT_NAMES.length - 1);
    expect([listed.code, wrong.code]).toEqual([0, 2]);
    expect(wrong.stderr).toMatch(/^kairos: --faults: must be one of lost-answers, .*; did you mean lost-answers\?/);
  });
});
