/** A venue of Kairos as a real process, started by its command line and known by nothing else. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Answer, ask, askJson, Broker, type Headers, type Json, object, text } from './client.ts';

const KAIROS = fileURLToPath(new URL('../../../../bin/kairos.mjs', import.meta.url));
const START_MS = 300_000;

/** Another clock for the process: where it stands at the start, and how much faster than ours it goes. Rate 0 stands still. */
export interface Clock {
  at?: number;
  rate: number;
}

/** Loaded into the process before its own code, as faketime would be: the program under test is left as it is. */
const CLOCK = `
const Real = Date, begun = Real.now(), rate = Number(process.env.TEST_CLOCK_RATE), at = Number(process.env.TEST_CLOCK_AT) || begun;
const now = () => Math.floor(at + (Real.now() - begun) * rate);
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
  static now() { return now(); }
};
if (rate > 1) for (const name of ['setTimeout', 'setInterval']) {
  const real = globalThis[name];
  globalThis[name] = (does, ms, ...given) => real(does, (ms ?? 0) / rate, ...given);
}
`;

export interface Start {
  set?: Record<string, string>;
  clock?: Clock;
}

export class Venue {
  readonly url: string;
  readonly broker: Broker;
  readonly child: ChildProcess;
  readonly folder: string;
  readonly #login: Json;
  #errors = '';

  private constructor(folder: string, child: ChildProcess, told: Json) {
    this.folder = folder;
    this.child = child;
    this.url = text(told, 'url');
    this.broker = new Broker(this.url, text(told, 'apiKey'), text(told, 'apiSecret'));
    this.#login = object(told.login);
    child.stderr?.on('data', (part: Buffer) => {
      this.#errors += part.toString('utf8');
    });
  }

  static async start({ set = {}, clock }: Start = {}): Promise<Venue> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-by-the-book-'));
    const settings = {
      'venue.database': ':memory:',
      'journal.path': join(folder, 'kairos.db'),
      'recording.dir': join(folder, 'recordings'),
      ...set,
    };
    const env: NodeJS.ProcessEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KAIROS_')));
    delete env.NODE_OPTIONS;
    if (clock) {
      const file = join(folder, 'clock.mjs');
      writeFileSync(file, CLOCK);
      env.NODE_OPTIONS = `--import ${pathToFileURL(file).href}`;
      env.TEST_CLOCK_RATE = String(clock.rate);
      env.TEST_CLOCK_AT = String(clock.at ?? '');
    }
    const child = spawn(
      process.execPath,
      [KAIROS, 'venue', '--port', '0', '--json', ...Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])],
      { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const told = await new Promise<Json>((resolve, reject) => {
      let out = '';
      let errors = '';
      const timer = setTimeout(() => reject(new Error(`the venue did not say where it listens: ${out}${errors}`)), START_MS);
      child.stderr.on('data', (part: Buffer) => {
        errors += part.toString('utf8');
      });
      child.once('exit', (code) => reject(new Error(`the venue ended with ${code}: ${errors}`)));
      child.stdout.on('data', (part: Buffer) => {
        out += part.toString('utf8');
        try {
          resolve(object(JSON.parse(out)));
          clearTimeout(timer);
        } catch {
          // Not all of it is there yet.
        }
      });
    });
    return new Venue(folder, child, told);
  }

  /** A bearer token, from the sign-in. */
  async bearer(): Promise<Headers> {
    const answer = await askJson(this.url, 'POST', '/httpserver/main/v2/auth/login', this.#login);
    assert.equal(answer.status, 200, answer.text);
    const token = answer.headers.authorization ?? '';
    assert.ok(token.startsWith('Bearer '), 'the sign-in gives a bearer token');
    return { Authorization: token };
  }

  /** Whether the process lives and serves somebody who behaves. */
  async serves(): Promise<Answer> {
    assert.equal(this.child.exitCode, null, `the venue ended: ${this.#errors}`);
    const answer = await ask(this.url, { method: 'GET', path: '/mms/v2/productDetails' });
    assert.equal(answer.status, 200);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      const hard = setTimeout(() => this.child.kill('SIGKILL'), 8_000);
      await gone;
      clearTimeout(hard);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Another command of the product, with its output. */
export async function kairos(...words: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-by-the-book-'));
  const child = spawn(process.execPath, [KAIROS, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString('utf8');
  });
  child.stderr.on('data', (part: Buffer) => {
    errors += part.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  rmSync(folder, { recursive: true, force: true });
  assert.equal(code, 0, errors);
  return out;
}
