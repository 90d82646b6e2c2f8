import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import { scrubber } from './log.ts';

/** Removes the secrets of the settings from what comes from outside, such as a service that echoes them (I15). */
export class Redactor {
  readonly text: (text: string) => string;

  constructor(service: Settings['service']) {
    this.text = scrubber(service);
  }

  /** Removes secrets from the service's answers and from strategies' errors. */
  event(event: InboxEvent): InboxEvent {
    if (event.kind === 'answer' && event.report.type === 'answered') {
      const { report } = event;
      return { ...event, report: { ...report, body: this.text(report.body), why: this.text(report.why) } };
    }
    if (event.kind === 'command' && event.command.act === 'disable')
      return { ...event, command: { ...event.command, why: this.text(event.command.why) } };
    if (event.kind !== 'action') return event;
    return { ...event, answer: { ...event.answer, response: this.text(event.answer.response) } };
  }

  /** The same error, or a copy if its message contains a secret. */
  error(error: unknown): unknown {
    if (!(error instanceof Error) || this.text(error.message) === error.message) return error;
    const message = this.text(error.message);
    const clean = error instanceof KairosError ? new KairosError(error.code, message) : new Error(message);
    clean.cause = error.cause;
    if (error.stack !== undefined) clean.stack = this.text(error.stack);
    return clean;
  }
}
