import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { RepeatedRefusals } from '#core/decisions/repeated-refusals.ts';
import type { HostResult } from '#core/strategy/host.ts';
import { thrownBy } from '#core/strategy/origin.ts';
import { never } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';

/** Journals what a strategy brought that is no intent: why it does nothing, or what went wrong with it. */
export function journalResult(
  result: Exclude<HostResult, { kind: 'intents' }>,
  { log, refusals, notice }: { readonly log: DecisionLog; readonly refusals: RepeatedRefusals; readonly notice: Notice },
): void {
  const { instance } = result;
  const about = { strategy: instance.id, product: instance.product };
  switch (result.kind) {
    case 'hold':
      refusals.note(instance.id, log.make('hold', { why: result.reason, signals: result.signals }, { ...about, reason: 'HOLD' }));
      return;
    case 'nan': {
      const begins = refusals.note(
        instance.id,
        log.make('hold', { why: result.why, signals: result.signals }, { ...about, reason: 'SIGNAL_NAN' }),
      );
      if (begins) notice('warn', `strategy ${instance.id}: ${result.why}`);
      return;
    }
    case 'warming':
      refusals.note(instance.id, log.make('hold', { why: result.why, signals: {} }, { ...about, reason: 'WARMING_UP' }));
      return;
    case 'state': {
      const row = log.make('state', { state: result.text, by: result.by }, about);
      // What an order has changed must be there after a crash; what a signal did comes again.
      if (result.by === 'signal') log.defer(row);
      else log.keep(row);
      return;
    }
    case 'bad_intent': {
      const detail = { error: result.why, stack: '', inARow: result.inARow };
      log.defer(log.make('threw', detail, { ...about, reason: 'BAD_INTENT' }));
      notice('warn', `strategy ${instance.id}: ${result.why}`);
      return;
    }
    case 'threw': {
      const detail = { ...thrownBy(result.error, instance.origin), inARow: result.inARow };
      log.defer(log.make('threw', detail, { ...about, reason: 'STRATEGY_THREW' }));
      notice('warn', `strategy ${instance.id} threw: ${detail.error}`);
      return;
    }
    case 'disabled':
      log.commit(log.make('disabled', { who: 'kairos', why: result.why }, { ...about, reason: result.reason }));
      notice('error', `strategy ${instance.id} is disabled until a person enables it: ${result.why}`);
      return;
    default:
      return never(result);
  }
}
