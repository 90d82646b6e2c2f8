import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../domain/names.ts';
import { bearerOf } from './bearer.ts';
import type { VenueContext } from './context.ts';
import { sendRefusal } from './refusal.ts';

/** The orchestrator's actions on all strategies (spec 4.1): 202 without content, and a trace that they were asked for. */
export function orchestratorRoutes(app: FastifyInstance, context: VenueContext): void {
  const { timers, counts, store, log } = context;
  for (const action of ['pauseAll', 'resumeAll'] as const) {
    app.put(`/strategy-orchestrator/strategies/${action}`, async (request, reply) => {
      const bearer = await bearerOf(context, request);
      if ('fault' in bearer) return sendRefusal(request, reply, { ...bearer.fault, atMs: timers.wallMs() });
      counts[action] += 1;
      store.action(action, isoTime(timers.wallMs()));
      log(`strategies: ${action} asked`);
      return reply.code(202).send();
    });
  }
}
