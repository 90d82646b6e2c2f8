import { parentPort, workerData } from 'node:worker_threads';
import { Alerter } from '#adapters/alerts/alerter.ts';
import { channelsOf } from '#adapters/alerts/channels.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { AlertTask, FromAlertThread, ToAlertThread } from './alerts.ts';

/** The thread that delivers alerts: they come in by messages, what becomes of them goes out by messages. */
const { label, settings, env }: AlertTask = workerData;
const alerter = new Alerter({
  label,
  settings,
  channels: channelsOf(settings, env),
  timers: systemTimers,
  log: (level, text) => parentPort?.postMessage({ level, text } satisfies FromAlertThread),
});

parentPort?.on('message', (asked: ToAlertThread) => {
  if ('alert' in asked) alerter.raise(asked.alert);
  else void alerter.close(asked.closeWithinMs).finally(() => parentPort?.close());
});
