import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../support/free-port.ts';
import { dec, show } from './figures.ts';
import { CREDENTIALS, OPENING, type Service } from './service.ts';

const PROGRAM = new URL('../../../../bin/kairos.mjs', import.meta.url).pathname;
const OPS_TOKEN = 'a-token-for-the-control-server-of-a-test';

/** Buys and sells on every quote that it may, so that a few seconds hold many orders. */
const SEESAW = `import { buy, mid, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'seesaw',
  params: {},
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'up') : sell('position', 'down')),
});
`;

/** Limits that live trading asks for. */
const LIMITS = ['maxOrderValue', 'maxPositionValue', 'maxDayValue', 'maxDayLoss', 'maxDrawdownPct'];

/** What a strategy has on paper by itself, in the currencies of the tests. */
const BUDGET = 'budget: { usd: 10000, sek: 10000 }';

export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Settings = Readonly<Record<string, string>>;

export async function until<T>(what: string, ask: () => T | Promise<T>, ms = 100_000): Promise<NonNullable<T>> {
  const end = Date.now() + ms;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The real program in a folder of its own: one daemon, and commands beside it. */
export class Bot {
  readonly folder = mkdtempSync(join(tmpdir(), 'kairos-independent-'));
  readonly service: Service;
  readonly opsPort: number;
  readonly settings: Settings;
  log = '';
  #daemon: ChildProcess | null = null;

  private constructor(service: Service, opsPort: number, settings: Settings, strategies: string) {
    this.service = service;
    this.opsPort = opsPort;
    this.settings = settings;
    writeFileSync(join(this.folder, 'seesaw.ts'), SEESAW);
    writeFileSync(
      join(this.folder, 'kairos.yaml'),
      `strategies:${strategies === '' ? ' []' : `\n${strategies.replaceAll(' amount:', ` ${BUDGET}, amount:`)}`}\n`,
    );
  }

  static async at(service: Service, strategies = '', settings: Settings = {}): Promise<Bot> {
    return new Bot(service, await freePort(), settings, strategies);
  }

  async start(): Promise<this> {
    const child = this.#spawn(['run', '--live']);
    this.#daemon = child;
    const keep = (chunk: Buffer): void => {
      this.log += chunk;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    await until('the control server', async () => {
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}: ${this.log}`);
      return (await this.get('/healthz').catch(() => null))?.ok;
    });
    await this.#arm();
    return this;
  }

  /** As a person who lets strategies be the first to order at this service. */
  async #arm(): Promise<void> {
    const { configHash, build } = await this.json<{ configHash: string; build: string }>('/api/arm');
    const armed = await this.post('/api/arm', { configHash, build, unrehearsed: true });
    if (armed.status !== 200) throw new Error(`not armed: ${JSON.stringify(armed.body)}`);
  }

  async stop(): Promise<void> {
    const child = this.#daemon;
    this.#daemon = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 12_000);
    await ended;
    clearTimeout(timer);
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${this.opsPort}${path}`);

  async json<T>(path: string): Promise<T> {
    return (await (await this.get(path)).json()) as T;
  }

  async post(path: string, body: Readonly<Record<string, unknown>>): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`http://127.0.0.1:${this.opsPort}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${OPS_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Where the service's books and the bot's differ, once no order is on its way. */
  async differences(): Promise<string[]> {
    type State = { orders: { state: string }[]; money: { balances: { currency: string; amount: string }[] } };
    const read = (): Promise<State> => this.json<State>('/api/state');
    await until('no order on its way', async () => (await read()).orders.every(({ state }) => state === 'unknown'));
    const held = new Map((await read()).money.balances.map(({ currency, amount }) => [currency, dec(amount)]));
    return [...this.service.balances].flatMap(([currency, mine]) => {
      const theirs = held.get(currency) ?? 0n;
      return theirs === mine ? [] : [`${currency}: the service has ${show(mine)}, the bot ${show(theirs)}`];
    });
  }

  /** One command, such as `products --json`, to its end. */
  command(...words: readonly string[]): Promise<Answer> {
    return new Promise((resolve) => {
      const child = this.#spawn(words);
      let out = '';
      let err = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        out += chunk;
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        err += chunk;
      });
      child.on('close', (code) => resolve({ code, out, err }));
    });
  }

  #spawn(words: readonly string[]): ChildProcess {
    const settings: Settings = {
      mode: 'live',
      'service.baseUrl': this.service.url,
      'clock.source': 'date',
      'journal.path': 'journal.db',
      'recording.dir': 'recordings',
      'ops.port': String(this.opsPort),
      'account.opening': JSON.stringify(OPENING),
      ...Object.fromEntries(LIMITS.map((name) => [`risk.${name}`, 'off'])),
      'trading.crashHalt': 'off',
      'lanes.opensPerSecond': '100',
      'risk.maxOrdersPerMinute': 'off',
      'risk.maxOrdersPerMinuteOfStrategy': 'off',
      'risk.maxOrdersPerMinuteOfProduct': 'off',
      'risk.maxLossStreak': 'off',
      'risk.maxLossStreakOfAll': 'off',
      'log.pretty': 'false',
      ...this.settings,
    };
    const kept = Object.entries(process.env).filter(([name]) => !/^(KAIROS|VITEST|NODE_OPTIONS)/.test(name));
    return spawn(
      process.execPath,
      [
        '--single-threaded-gc',
        '--min-semi-space-size=32',
        PROGRAM,
        ...words,
        ...Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]),
      ],
      {
        cwd: this.folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...Object.fromEntries(kept),
          KAIROS_USER_ID: CREDENTIALS.userId,
          KAIROS_API_KEY: CREDENTIALS.apiKey,
          KAIROS_API_SECRET: CREDENTIALS.apiSecret,
          KAIROS_USERNAME: CREDENTIALS.username,
          KAIROS_PASSWORD: this.service.password,
          KAIROS_TOTP_SECRET: CREDENTIALS.totpSecret,
          KAIROS_OPS_TOKEN: OPS_TOKEN,
        },
      },
    );
  }
}
