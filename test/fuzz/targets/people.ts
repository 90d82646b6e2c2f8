import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FaultList } from '#config/faults.ts';
import { layerOf } from '#config/layer.ts';
import { inspectConfig } from '#config/load.ts';
import { recordedSettings } from '#config/recorded.ts';
import { ALL_KEYS } from '#config/tree.ts';
import { parseSource } from '#config/yaml-source.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { ENDPOINTS, type EndpointName, fieldsOf } from '#server/control/endpoints.ts';
import { RequestGuard } from '#server/control/request-guard.ts';
import { type FuzzTarget, must, mustBeLine } from '../target.ts';

let work: string | undefined;
const folder = (): string => {
  work ??= mkdtempSync(path.join(tmpdir(), 'kairos-fuzz-settings-'));
  return work;
};

const SHIPPED = new URL('../../../config/', import.meta.url);

const settings: FuzzTarget = {
  name: 'settings',
  holds: 'a file of settings is read, or each thing wrong with it said in one line; what is read is read again from what is recorded of it',
  seeds: [
    readFileSync(new URL('paper.yaml', SHIPPED)),
    'strategies:\n  - { id: a, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 3, slow: 9 } }\n',
    'risk: { maxOrderValue: { usd: 500 }, maxPositionValue: 1000 }\ntrading: { enabled: true }\n',
    'schedule:\n  - { name: p, cron: "0 9 * * 1-5", action: bot.pause }\n',
    'webhooks: { enabled: true, port: 9000 }\nalerts:\n  channels: []\n',
  ],
  words: [...new Set(ALL_KEYS.flatMap(({ name }) => name.split('.')))],
  most: 8_192,
  check(input) {
    const faults = new FaultList();
    const source = parseSource(input.toString('utf8'), 'kairos.yaml', faults);
    if (source) layerOf(source, faults);
    for (const { line } of faults.all) mustBeLine(line, 4_000);
    // What stands by itself is checked together, and against files and services that are named.
    if (!faults.isEmpty) return;
    const file = path.join(folder(), 'kairos.yaml');
    writeFileSync(file, input);
    const options = { files: [file], env: {}, cwd: folder(), live: false };
    let inspected: ReturnType<typeof inspectConfig>;
    try {
      inspected = inspectConfig(options);
    } catch (error) {
      must(error instanceof KairosError, `thrown: ${error instanceof Error ? error.stack : messageOf(error)}`);
      return mustBeLine(error.message, 4_000);
    }
    if ('faults' in inspected) for (const { line } of inspected.faults) mustBeLine(line, 4_000);
    else {
      recordedSettings('a run', inspected.config.json);
      const again = inspectConfig(options);
      must('config' in again && again.config.hash === inspected.config.hash, 'read twice it is two configurations');
    }
  },
  close() {
    if (work !== undefined) rmSync(work, { recursive: true, force: true });
    work = undefined;
  },
};

const NAMES = Object.keys(ENDPOINTS).sort() as EndpointName[];
const TOKEN = 'a-token-of-the-fuzzer';
const guard = () => new RequestGuard({ host: '127.0.0.1', port: 8787, token: TOKEN, timers: { monotonicMs: () => 0 } });
const HOSTS = ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787'];

const BODIES: readonly (readonly [EndpointName, object])[] = [
  ['halt', {}],
  ['enable', { strategy: 'a' }],
  ['arm', { configHash: 'c0ffee', build: '' }],
  ['close', { strategy: 'a', product: 'btcusd', pct: 50, upTo: '100' }],
  ['flatten', { resume: true }],
  ['order', { product: 'btcusd', side: 'buy', size: '0.01' }],
  ['resolve', { order: '1-1', as: 'accepted', price: '50000', size: '0.1' }],
  ['book', { entries: [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '10.5' }] }],
  ['accept', { id: '1' }],
  ['schedule', { name: 'p' }],
  ['backtest', { strategy: 'a', hours: 24, vary: ['fast=5..25:5'], by: 'sharpe' }],
  ['remote', { action: 'pause', arguments: { strategyId: '123e4567-e89b-42d3-a456-426614174000' }, confirm: true }],
  ['settle-create', { actionId: '1', strategyId: '123e4567-e89b-42d3-a456-426614174000' }],
];

const control: FuzzTarget = {
  name: 'control',
  holds: 'a body for the control server is read or refused in one line; no Host, Origin or token but the exact one passes',
  seeds: [
    ...BODIES.map(([name, body]) => `${String.fromCharCode(NAMES.indexOf(name))}${JSON.stringify({ who: 'ann', why: 'to see', ...body })}`),
    `${String.fromCharCode(NAMES.length)}Host\n127.0.0.1:8787\nOrigin\nhttp://127.0.0.1:8787\nAuthorization\nBearer ${TOKEN}\nContent-Type\napplication/json`,
  ],
  words: ['who', 'why', 'strategy', 'product', 'entries', 'confirm', 'verb', 'order', 'Host', 'Origin', 'Authorization', `Bearer ${TOKEN}`],
  check(input) {
    const which = (input[0] ?? 0) % (NAMES.length + 1);
    const text = input.toString('utf8', 1);
    const name = NAMES[which];
    if (name === undefined) return guarded(text.split('\n'));
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      // The server answers what is not JSON before any reader is asked.
      return;
    }
    try {
      const read = fieldsOf(name, body);
      must(!hasNoNumber(read), 'a figure that is none');
    } catch (error) {
      must(error instanceof KairosError, `thrown: ${error instanceof Error ? error.stack : messageOf(error)}`);
      mustBeLine(error.message);
    }
    must(Object.keys(Object.prototype).length === 0, 'a prototype was changed');
  },
};

/** Whether a figure anywhere in it is NaN or without bound. */
const hasNoNumber = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasNoNumber);

function guarded(lines: readonly string[]): void {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < lines.length; at += 2) headers[(lines[at] ?? '').toLowerCase()] ??= lines[at + 1] ?? '';
  const { host, origin, authorization } = headers;
  const once = guard();
  const passes = once.refuse(headers, lines) === undefined;
  if (passes) {
    must(host !== undefined && HOSTS.includes(host), `the host ${host}`);
    must(origin === undefined || HOSTS.some((name) => origin === `http://${name}`), `the origin ${origin}`);
  }
  if (once.refuseChange(headers) === undefined) must(authorization === `Bearer ${TOKEN}`, `the token ${authorization}`);
}

export const PEOPLE_TARGETS: readonly FuzzTarget[] = [settings, control];
