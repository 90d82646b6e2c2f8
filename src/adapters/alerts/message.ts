import { isoTime } from '#domain/names.ts';
import { shown } from '#domain/one-line.ts';
import { type Alert, type AlertEvent, isUrgent, type Message } from './alert.ts';

/** An alert in the queue. */
export interface QueuedAlert {
  readonly alert: Alert;
  readonly silent: boolean;
}

/** Lines of a digest; what is beyond them is counted. */
const MAX_LINES = 20;
/** Characters of a message. */
const MAX_TITLE = 1_000;
const MAX_TEXT = 10_000;

/** What waits as one message: an alert alone as it is, several as a digest. `dropped`: how many a full queue has lost. */
export function messageOf(label: string, waiting: readonly QueuedAlert[], dropped: number): Message {
  const alerts = waiting.map(({ alert }) => alert);
  const events = [...new Set(alerts.map(({ event }) => event))];
  const [first] = alerts;
  const alone = alerts.length === 1 && dropped === 0 ? first : undefined;
  return {
    title: cut(shown(`${label}: ${alone ? alone.title : `${alerts.length + dropped} alerts (${counted(alerts)})`}`), MAX_TITLE),
    text: cut(shown(alone ? textOf(alone) : digest(alerts, dropped)), MAX_TEXT),
    events,
    silent: waiting.every(({ silent }) => silent),
    urgent: alerts.some((alert) => isUrgent(alert) && !alert.over),
    at: alerts.at(-1)?.at ?? 0,
  };
}

/** What it says of itself, where it is told what to do, and when it was. */
const textOf = ({ text, event, over, at }: Alert): string =>
  [text, ...(over ? [] : [`What to do: kairos docs runbook ${event}`]), isoTime(at)].join('\n').trim();

/** Urgent ones first, then the newest. */
function digest(alerts: readonly Alert[], dropped: number): string {
  const urgent = alerts.filter(isUrgent);
  const others = alerts.filter((alert) => !isUrgent(alert));
  const lines = [...urgent, ...others.slice(-Math.max(0, MAX_LINES - urgent.length))].slice(0, MAX_LINES);
  const more = alerts.length - lines.length;
  return [
    ...lines.map(({ at, title }) => `${isoTime(at).slice(11, 19)} ${title}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(dropped > 0 ? [`and ${dropped} lost: the queue was full`] : []),
  ].join('\n');
}

function counted(alerts: readonly Alert[]): string {
  const counts = new Map<AlertEvent, number>();
  for (const { event } of alerts) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].map(([event, count]) => `${count} ${event}`).join(', ');
}

/** The text cut to so many characters, saying so. No half of a pair of surrogates is in it: a service that refuses one would refuse it for ever. */
export function cut(text: string, most: number): string {
  return (text.length <= most ? text : `${text.slice(0, most - 1)}…`).toWellFormed();
}
