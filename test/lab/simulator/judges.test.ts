import { expect, test } from 'vitest';
import { OWN_DIALECT } from '#adapters/service/dialect/dialect.ts';
import { drawPlan } from '#lab/simulator/plan/draw-plan.ts';
import { Troubles } from '#lab/simulator/plan/troubles.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import { ServiceTime } from '#lab/simulator/service/service-time.ts';
import { FeedConnections } from '#lab/simulator/watch/feed-watch.ts';
import { Draws } from '#lab/simulator/world/draws.ts';
import { EventHistory } from '#lab/simulator/world/history.ts';
import { SimulatedMachine } from '#lab/simulator/world/machine.ts';
import { World } from '#lab/simulator/world/world.ts';

function scene(): Scene {
  const world = new World();
  const plan = drawPlan('1', 0.1);
  const troubles = new Troubles('1', [], () => world.now);
  const time = new ServiceTime(world, 0, troubles);
  const history = new EventHistory(() => world.now, '');
  return { world, machine: new SimulatedMachine(world), plan, troubles, draws: new Draws('1'), history, time, dialect: OWN_DIALECT };
}

test('I10 an order that was decided after the connection of its quote had closed is found; one of the same turn is fair', async () => {
  const seen = scene();
  const connections = new FeedConnections(seen, (_invariant, what) => expect.unreachable(what));
  connections.expect(2);
  connections.subscribed(1, 'btc', true);
  connections.subscribed(2, 'btc', true);
  seen.world.at(500, () => connections.closed(1));
  await seen.world.run(1_000, () => false);
  const faultAt = (connection: number, decidedAt: number) => connections.faultOf({ connection, query: 'btc' }, decidedAt);
  expect([faultAt(1, 499), faultAt(1, 500), faultAt(1, 501), faultAt(2, 501)]).toEqual([null, null, 'its connection is closed', null]);
});
