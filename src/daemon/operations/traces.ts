import { journalFiles, readSmall, replaceFile } from '#adapters/journal/files.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import type { RunRow } from '#adapters/journal/tables.ts';
import { Backoff } from '#adapters/service-client/rest/backoff.ts';
import { VERSION } from '#assembly/package.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { attributesOf, orderSpans, type Span, TRACED } from '#report/order-spans.ts';
import { postOnce } from './post-once.ts';

/** Where the spans of a journal's orders go. */
interface TraceOptions {
  readonly journal: string;
  /** Address of an OTLP receiver; `/v1/traces` is added to one without. */
  readonly otlp: string;
  /** Further headers, as `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value,name=value`. */
  readonly headers: string;
  /** The bot's name: `service.name`. */
  readonly name: string;
  /** Goes on until `signal` is aborted. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly timers: Timers;
  readonly notice: Notice;
}

/** Rows read at once, and how often a followed journal is read, in milliseconds. */
const ROWS = 500;
const FOLLOW_MS = 1_000;
/** How often a failed post is tried where the journal is not followed. */
const TRIES = 5;

/**
 * Sends the orders of a journal as spans to an OTLP receiver, from where it stopped the last time, which is kept in a file beside the journal.
 * Only reads the journal. Returns the number of orders. Rejects with SERVICE_UNREACHABLE where the receiver does not take them, and does
 * not follow; with SERVICE_REFUSED where it never will.
 */
export async function sendTraces(options: TraceOptions): Promise<number> {
  const { journal, signal, follow, timers } = options;
  const place = new Place(`${journalFiles(journal).database}.traced`, options.otlp);
  const post = receiverOf(options);
  const reader = JournalReader.open(journal);
  try {
    let orders = 0;
    // A journal that was put back has fewer rows than were sent.
    let last = Math.min(place.seq, reader.end()?.seq ?? 0);
    while (!signal.aborted) {
      const rows = reader.after(last, ROWS);
      const batch = rows.flatMap(({ seq, kind, order_id, run_id }) =>
        order_id !== null && TRACED.some((one) => one === kind)
          ? [{ run: run_id, spans: orderSpans(run_id, reader.rowsOf(order_id, seq).map(decisionOf)) }]
          : [],
      );
      if (batch.length > 0 && !(await post(bodyOf(batch, options.name, (run) => reader.run(run))))) break;
      orders += batch.length;
      last = rows.at(-1)?.seq ?? last;
      if (batch.length > 0) place.keep(last);
      if (rows.length === ROWS) continue;
      if (!follow) break;
      await pause(timers, FOLLOW_MS, signal);
    }
    place.keep(last);
    return orders;
  } finally {
    reader.close();
  }
}

/** How far each receiver has a journal's rows. */
class Place {
  private readonly file: string;
  private readonly url: string;
  seq: number;

  constructor(file: string, url: string) {
    this.file = file;
    this.url = url;
    this.seq = this.all()[url] ?? 0;
  }

  keep(seq: number): void {
    if (seq === this.seq) return;
    this.seq = seq;
    replaceFile(this.file, JSON.stringify({ ...this.all(), [this.url]: seq }));
  }

  private all(): Readonly<Record<string, number>> {
    try {
      return Object(JSON.parse(readSmall(this.file)));
    } catch {
      // Missing, or not ours: all is sent again, with the same ids.
      return {};
    }
  }
}

interface Batch {
  readonly run: string;
  readonly spans: readonly Span[];
}

/** An export request of OTLP, its resources being the runs. */
function bodyOf(batch: readonly Batch[], name: string, runOf: (id: string) => RunRow | undefined): string {
  const runs = [...new Set(batch.map(({ run }) => run))];
  const resourceSpans = runs.map((run) => ({
    resource: {
      attributes: attributesOf({
        'service.name': name,
        'service.version': runOf(run)?.version,
        'service.instance.id': run,
        'deployment.environment.name': runOf(run)?.mode,
      }),
    },
    scopeSpans: [
      { scope: { name: 'kairos', version: VERSION }, spans: batch.filter((one) => one.run === run).flatMap(({ spans }) => spans) },
    ],
  }));
  return JSON.stringify({ resourceSpans });
}

/** What the receiver may still take later, by OTLP: 429, 502, 503, 504. */
const isPassing = (status: number): boolean => status === 429 || (status >= 502 && status <= 504);

/** Posts until the receiver takes it; false where it was told to stop before. */
function receiverOf({ otlp, headers, signal, follow, timers, notice }: TraceOptions): (body: string) => Promise<boolean> {
  const url = otlp.endsWith('/v1/traces') ? otlp : `${otlp.replace(/\/+$/, '')}/v1/traces`;
  const given = headers
    .split(',')
    .flatMap((one) => (one.includes('=') ? [[one.slice(0, one.indexOf('=')).trim(), one.slice(one.indexOf('=') + 1).trim()]] : []));
  const once = async (body: string): Promise<{ readonly why: string; readonly passes: boolean } | null> => {
    try {
      const { status, text } = await postOnce(url, body, Object.fromEntries(given));
      return status < 300 ? null : { why: `answered ${status}: ${text}`, passes: isPassing(status) };
    } catch (error) {
      return { why: messageOf(error), passes: true };
    }
  };
  return async (body) => {
    const backoff = new Backoff(timers, 'request');
    for (let tries = 1; !signal.aborted; tries += 1) {
      backoff.attempt();
      const failed = await once(body);
      if (failed === null) return true;
      if (signal.aborted) break;
      const line = `${new URL(url).origin}: no traces are taken: ${failed.why}`;
      if (!failed.passes) throw new KairosError('SERVICE_REFUSED', line);
      if (!follow && tries === TRIES) throw new KairosError('SERVICE_UNREACHABLE', line);
      if (tries === 1) notice('warn', `${line}; it is tried again`);
      await pause(timers, backoff.afterFailure(false), signal);
    }
    return false;
  };
}
