import { describe, expect, test } from 'vitest';
import type { WorkQueue } from '#ports/work-queue.ts';

/** What every queue of work keeps to, whoever carries it. `make` opens another connection to the same queue. */
export function workQueueContract(name: string, make: () => Promise<WorkQueue>): void {
  const until = async (what: () => Promise<boolean> | boolean): Promise<void> => {
    await expect.poll(what, { interval: 5, timeout: 100_000 }).toBe(true);
  };

  describe(name, () => {
    test('a job is given once, played once, and stands nowhere when it is finished', async () => {
      const [giver, taker] = [await make(), await make()];
      await giver.give('once', [{ id: 'a-1', text: 'one' }]);
      await giver.give('once', [
        { id: 'a-1', text: 'one' },
        { id: 'a-2', text: 'two' },
      ]);
      expect((await giver.state('once')).waiting.toSorted()).toEqual(['a-1', 'a-2']);
      const played: string[] = [];
      const taking = taker.consume('once', async ({ id, text }) => {
        played.push(`${id} ${text}`);
        return 'done';
      });
      await until(() => played.length === 2);
      await taking.close();
      expect(played).toEqual(['a-1 one', 'a-2 two']);
      expect(await giver.state('once')).toEqual({ waiting: [], active: [], failed: [] });
    });

    test('a job that goes back waits for the next; one that throws is tried again, and then given up with its reason', async () => {
      const queue = await make();
      await queue.give('tries', [
        { id: 'b-1', text: 'back' },
        { id: 'b-2', text: 'throws' },
      ]);
      const played: string[] = [];
      const taking = queue.consume('tries', async ({ text }) => {
        played.push(text);
        if (text === 'throws') throw new Error('no disk');
        return played.filter((one) => one === 'back').length < 2 ? 'back' : 'done';
      });
      await until(async () => (await queue.state('tries')).failed.length === 1 && played.filter((one) => one === 'back').length === 2);
      await taking.close();
      expect(played.filter((one) => one === 'throws')).toHaveLength(3);
      expect((await queue.state('tries')).failed).toEqual([{ id: 'b-2', why: 'no disk' }]);
      await queue.takeBack('tries', ['b-2', 'b-3']);
      expect((await queue.state('tries')).failed).toEqual([]);
    });

    test('who is closed while it plays hears so, and what it gives back waits for others', async () => {
      const queue = await make();
      await queue.give('closed', [{ id: 'c-1', text: 'long' }]);
      let begun = false;
      const taking = queue.consume('closed', async (_job, lost) => {
        begun = true;
        await new Promise((resolve) => lost.addEventListener('abort', resolve));
        return 'back';
      });
      await until(() => begun);
      await taking.close();
      expect(await queue.state('closed')).toEqual({ waiting: ['c-1'], active: [], failed: [] });
      await queue.remove('closed');
      expect((await queue.state('closed')).waiting).toEqual([]);
    });

    test('a notice falls off unless it is renewed', async () => {
      const [one, other] = [await make(), await make()];
      await one.post('board', 'x', { text: 'here', keepMs: 60_000 });
      await one.post('board', 'y', { text: 'soon gone', keepMs: 30 });
      expect((await other.notices('board')).get('x')).toBe('here');
      await until(async () => !(await other.notices('board')).has('y'));
      await other.unpost('board', 'x');
      expect(await one.notices('board')).toEqual(new Map());
    });

    test('messages come in order, also those sent before, and stay until they are trimmed', async () => {
      const [one, other] = [await make(), await make()];
      expect(await other.receive('channel', '0', 1)).toEqual([]);
      await one.send('channel', 'first');
      await one.send('channel', 'second');
      const found = await other.receive('channel', '0', 1_000);
      expect(found.map(({ text }) => text)).toEqual(['first', 'second']);
      await other.trim('channel', found[0]?.id);
      expect((await one.receive('channel', '0', 1)).map(({ text }) => text)).toEqual(['second']);
      const waited = other.receive('channel', found[1]?.id ?? '0', 50_000);
      await one.send('channel', 'third');
      expect((await waited).map(({ text }) => text)).toEqual(['third']);
      await one.trim('channel');
      expect(await one.receive('channel', '0', 1)).toEqual([]);
    });
  });
}
