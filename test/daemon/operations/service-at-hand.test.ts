import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { VERSION } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { callDaemon } from '#daemon/operations/daemon-call.ts';
import { publish } from '#daemon/operations/ops-files.ts';
import { embeddedVenue, serviceAtHand } from '#daemon/operations/service-at-hand.ts';
import { newFolder } from '../../support/folder.ts';

const VENUE = 'http://127.0.0.1:4711';

let folder: string;
let server: Server;
let url: string;
let answer: { readonly status: number; readonly text: string } | null;

beforeEach(async () => {
  folder = newFolder();
  server = createServer((request, response) => {
    if (answer) response.writeHead(answer.status, { location: '/elsewhere', 'x-method': request.method }).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const STATES: readonly [string, object, string | undefined][] = [
  ['the paper venue inside', { pid: 7, embedded: true, service: VENUE }, VENUE],
  ['a real service', { pid: 7, embedded: false, service: 'https://broker.example' }, undefined],
  ['the venue of another daemon, which took the port', { pid: 8, embedded: true, service: VENUE }, undefined],
  ['nothing of a service', { pid: 7 }, undefined],
  ['an embedded venue, in another version', { pid: 7, version: '0.0.0', embedded: true, service: VENUE }, undefined],
];

test.each(STATES)('a command beside a daemon that trades at %s', async (_, state, expected) => {
  const journal = path.join(folder, 'kairos.db');
  expect(await embeddedVenue(journal)).toBeUndefined();
  publish(controlFiles(journal).ops, { pid: 7, url }, 'token');
  answer = { status: 200, text: JSON.stringify({ version: VERSION, ...state }) };
  expect(await embeddedVenue(journal)).toBe(expected);
});

test('without service.baseUrl a command asks the venue of the running daemon; a configured service stays the configured one', async () => {
  const journal = path.join(folder, 'kairos.db');
  publish(controlFiles(journal).ops, { pid: 7, url }, 'token');
  answer = { status: 200, text: JSON.stringify({ pid: 7, version: VERSION, embedded: true, service: VENUE }) };
  const of = (...set: string[]) => loadConfig({ cwd: folder, env: {}, set: [`journal.path=${journal}`, ...set] }).settings;
  const running = await serviceAtHand(of(), systemTimers);
  expect(running).toMatchObject({ baseUrl: VENUE, embedded: true, ofDaemon: true });
  const own = await serviceAtHand(of('service.baseUrl=http://127.0.0.1:4712'), systemTimers);
  expect(own).toMatchObject({ baseUrl: 'http://127.0.0.1:4712', embedded: false, ofDaemon: false });
  await Promise.all([running.close(), own.close()]);
});

test('a call of a daemon ends in time, follows no redirect, and takes nothing but JSON', async () => {
  answer = { status: 302, text: '{}' };
  expect(await callDaemon(url, { withinMs: 5_000 })).toEqual({ ok: false, status: 302, said: {} });
  answer = { status: 200, text: '<html>' };
  await expect(callDaemon(url, { withinMs: 5_000 })).rejects.toThrow('JSON');
  answer = null;
  await expect(callDaemon(url, { withinMs: 50 })).rejects.toThrow('timeout');
});
