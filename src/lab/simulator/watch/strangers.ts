import type { Stranger } from '#lab/simulator/daemon/beside.ts';
import type { Supervisor } from '#lab/simulator/daemon/supervisor.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import type { Violate } from './finding.ts';

/** The reason that strangers give; no decision may carry it. */
const STRANGE = 'a stranger asks';
/** Number of guessed tokens; the guard refuses to look at more than ten a minute. */
const GUESSES = 12;
const ACTS = ['halt', 'resume', 'pause', 'arm', 'flatten'] as const;
const WAIT_MS = 2_000;

interface Strangers {
  readonly scene: Scene;
  readonly supervisor: Supervisor;
  readonly violate: Violate;
  /** True if the journal has a decision with this reason. */
  readonly hasReason: (why: string) => boolean;
}

/** Requests to the control server by others than a person of ours: each must be refused, and none may have an effect (F73, I35). */
export function knock({ scene, supervisor, violate, hasReason }: Strangers, draws: Draws): void {
  const { world, machine } = scene;
  machine.receive(() => {
    const door = supervisor.running?.beside.strangers;
    if (!door) return;
    scene.troubles.struck('F73', 'strangers ask the control server');
    const act = draws.pick(ACTS);
    for (const [what, request] of requests(act, door)) {
      void door.ask(request).then((status) => {
        if (status >= 200 && status < 300) violate('I35', `${act} with ${what} was answered ${status}`);
      });
    }
    void guess(door, act, violate);
    world.after(WAIT_MS, () => {
      if (hasReason(STRANGE)) violate('I35', `${act} of a stranger has had an effect`);
    });
  });
}

/** Requests that each lack one thing, all else being right. */
function requests(act: string, { host, token }: Stranger): readonly (readonly [string, string])[] {
  const right = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { authorization, ...tokenless } = right;
  return [
    ['the Host of another site', post(act, { ...right, host: 'partner.example:8080' })],
    ['the Origin of another site', post(act, { ...right, origin: 'https://partner.example' })],
    // Whoever has the token halts by a body of any form.
    ...(act === 'halt' ? [] : bodiesOfForms(act, right)),
    ['no token', post(act, tokenless)],
    ['a GET', `GET /api/${act} HTTP/1.1\r\n${lines(right)}\r\n`],
  ];
}

const bodiesOfForms = (act: string, right: Readonly<Record<string, string>>): readonly (readonly [string, string])[] => [
  ['the body of a form', post(act, { ...right, 'content-type': 'application/x-www-form-urlencoded' })],
  ['the body of a plain form', post(act, { ...right, 'content-type': 'text/plain' })],
];

/** Guesses one token after the other: none is right, and the last are not even looked at. */
async function guess(door: Stranger, act: string, violate: Violate): Promise<void> {
  const statuses: number[] = [];
  for (let count = 0; count < GUESSES; count += 1) {
    const authorization = `Bearer ${String(count).repeat(door.token.length).slice(0, door.token.length)}`;
    statuses.push(await door.ask(post(act, { host: door.host, authorization, 'content-type': 'application/json' })));
  }
  const wrong = statuses.find((status) => status !== 0 && status !== 401 && status !== 429);
  if (wrong !== undefined) violate('I35', `${act} with a guessed token was answered ${wrong}`);
  const last = statuses.at(-1);
  if (last !== 429 && last !== 0) violate('F73', `the last of ${GUESSES} guessed tokens in a row was answered ${last}`);
}

function post(act: string, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ who: 'stranger', why: STRANGE });
  return `POST /api/${act} HTTP/1.1\r\n${lines(headers)}content-length: ${body.length}\r\n\r\n${body}`;
}

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries({ ...headers, connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
