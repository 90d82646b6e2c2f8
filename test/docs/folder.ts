import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { cleanEnvironment, FRUGAL, KAIROS, type Started, startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { lookFor } from '../support/wait-for.ts';
import { asksFirst, goesOn, kairosCalls, wordsOf } from './parser.ts';

/** How a command of a page ended, or how far it has come where it goes on. */
export interface Ran {
  readonly code: number | null;
  readonly printed: string;
}

interface Going {
  /** The command, such as `run` or `venue`. */
  readonly kind: string;
  readonly process: Started;
}

interface Ports {
  readonly venue: number;
  readonly webhooks: number;
}

/** Programs that a page may use beside Kairos: they install nothing and reach no other machine. */
const HARMLESS = /^(curl -s(?!.*:\/\/(?!127\.0\.0\.1))|cat|cd|chmod|cp|echo|ls|mkdir|mv|printf|rm|tar|touch)\b/;
const COMMAND_MS = 100_000;
/** What pages are typed beside; a command that runs here has a path of its own meanwhile. */
const { PATH = '', ...BESIDE } = cleanEnvironment();

/**
 * The folder of one page, in which its commands run one after the other as a reader would type them: in a shell, with
 * what was exported before, beside the daemons and venues that the page has started. Ports, and the names of runs and
 * orders, are those that there are.
 */
export class PageFolder {
  private readonly folder: DaemonFolder;
  private readonly env: Record<string, string>;
  private readonly ports: Ports;
  /** What a page calls by a name of its own, and what that is here. */
  private readonly names = new Map<string, string>();
  private going: readonly Going[] = [];
  private last: Started | undefined;

  private constructor(folder: DaemonFolder, ports: Ports) {
    this.folder = folder;
    this.ports = ports;
    cpSync(path.join(ROOT, 'config'), path.join(folder.path, 'config'), { recursive: true });
    const bin = path.join(folder.path, '.bin');
    mkdirSync(bin);
    // What is printed here is what is typed in a checkout.
    mkdirSync(path.join(folder.path, 'node_modules/.bin'), { recursive: true });
    symlinkSync(KAIROS, path.join(folder.path, 'node_modules/.bin/kairos'));
    program(path.join(bin, 'kairos'), `exec '${process.execPath}' ${FRUGAL.join(' ')} '${KAIROS}' "$@"`);
    program(path.join(bin, 'npx'), '[ "$1" = kairos ] || exit 127\nshift\nexec kairos "$@"');
    this.env = {
      ...BESIDE,
      PATH: `${bin}:${PATH}`,
      HOME: folder.path,
      KAIROS_VENUE_QUOTES_PER_SECOND: '10',
      KAIROS_LOG_PRETTY: 'true',
      KAIROS_WEBHOOKS_PORT: String(ports.webhooks),
    };
  }

  static async make(name: string): Promise<PageFolder> {
    return new PageFolder(new DaemonFolder(`docs-${name}`), { venue: await freePort(), webhooks: await freePort() });
  }

  /** What an earlier run has left. */
  fill(from: string): void {
    cpSync(path.join(from, 'var'), path.join(this.folder.path, 'var'), { recursive: true });
  }

  get path(): string {
    return this.folder.path;
  }

  write(name: string, text: string): void {
    const file = path.join(this.folder.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${this.named(text).trimEnd()}\n`, { mode: 0o600 });
  }

  /** Puts the service at `url` where pages say `https://service.example`, with credentials that it takes. */
  reach(url: string, env: Readonly<Record<string, string>>, names: Readonly<Record<string, string>>): void {
    Object.assign(this.env, env, { KAIROS_BASE_URL: url });
    for (const [name, value] of Object.entries({ 'https://service.example': url, ...names })) this.names.set(name, value);
  }

  /** Whether something still happens here, so that what is not there yet may come. */
  get isLively(): boolean {
    return this.going.length > 0;
  }

  /** What the command that was started last has printed by now, where it goes on: who waits for more asks again. */
  async since(): Promise<string> {
    return this.last?.until('word', ({ stdout, stderr }) => stdout + stderr) ?? '';
  }

  /** Runs one line of a page to its end; a command that goes on is started, seen to have begun, and left running. */
  async run(line: string): Promise<Ran> {
    if (line.startsWith('export ')) {
      for (const [, name = '', value = ''] of line.matchAll(/ (\w+)=(\S+)/g)) this.env[name] = this.filled(value);
      return { code: 0, printed: '' };
    }
    const command = this.filled(line);
    const [call, ...others] = kairosCalls(command);
    if (!call) return HARMLESS.test(command) ? this.shell(command) : { code: null, printed: 'no test may run this: mark the block' };
    if (others.length > 0) return this.shell(command);
    if (goesOn(call)) return this.begin(call, command);
    const unasked = asksFirst(call) ? `${command} --yes` : command;
    const asked =
      call[0] === 'venue' && !call[1]?.startsWith('-') && !call.includes('--url')
        ? `${unasked} --url http://127.0.0.1:${this.ports.venue}`
        : unasked;
    return this.isProcess(call[0], asked) ? this.shell(asked) : this.here(asked);
  }

  /** Whether a command is one for a shell, or is of a kind that looks at its process: what it is started with, or writes to. */
  private isProcess(kind: string | undefined, command: string): boolean {
    return !/^(npx )?kairos [^|&;<>$`*~\\]*$/.test(command) || kind === 'record' || kind === 'trial' || 'NODE_OPTIONS' in this.env;
  }

  private async here(command: string): Promise<Ran> {
    const words = wordsOf(command);
    const { code, stdout, stderr } = await kairosHere(words.slice(words.indexOf('kairos') + 1), { cwd: this.folder.path, env: this.env });
    return { code, printed: stdout + stderr };
  }

  /** Starts the daemon that a page takes for granted. With the packaged strategies it has traded when this returns. */
  async trade(): Promise<void> {
    const { code, printed } = await this.begin(['run'], '');
    if (code !== 0) throw new Error(`no daemon: ${printed}`);
    if (existsSync(path.join(this.folder.path, 'kairos.yaml'))) return;
    const traded = await lookFor(() => this.folder.accepted());
    if (traded === undefined) throw new Error(`nothing was traded\n${await this.since()}`);
  }

  /** Ends all that still runs, in good order; returns those that did not end as they should. */
  async close(): Promise<readonly string[]> {
    return this.stop(this.going.toReversed());
  }

  remove(): void {
    this.folder.remove();
  }

  private async stop(which: readonly Going[]): Promise<readonly string[]> {
    const wrong: string[] = [];
    this.going = this.going.filter((one) => !which.includes(one));
    for (const { kind, process } of which) {
      process.signal('SIGINT');
      const { code, signal, stderr } = await process.ended;
      if (code !== 0 && code !== 130) wrong.push(`kairos ${kind} ended with ${code ?? signal}: ${stderr}`);
    }
    return wrong;
  }

  private async begin(call: readonly string[], command: string): Promise<Ran> {
    const [kind = ''] = call;
    // Who starts another one of the same kind has stopped the one before.
    await this.stop(this.going.filter((one) => one.kind === kind));
    const given = Object.fromEntries(
      [...command.matchAll(/(?:^|\s)([A-Z_]+)=(\S+)(?=.*kairos)/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const ownPort = kind === 'venue' ? { KAIROS_VENUE_PORT: String(this.ports.venue) } : {};
    const process = startKairos(call, { cwd: this.folder.path, env: { ...this.env, ...ownPort, ...given } });
    this.last = process;
    const begun = await process.says(/Ctrl-C|listens on|"url"|Z {2}/).then(
      () => true,
      () => false,
    );
    if (!begun || !process.isRunning) {
      process.signal('SIGINT');
      const { code } = await process.ended;
      return { code: begun ? code : code || 1, printed: await this.since() };
    }
    this.going = [...this.going, { kind, process }];
    if (kind === 'run') await lookFor(() => this.opsUrl(), { withinMs: COMMAND_MS, goOn: () => process.isRunning });
    return { code: 0, printed: await this.since() };
  }

  private shell(command: string): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const { path: cwd } = this.folder;
      const child = spawn('sh', ['-c', command], { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      // The whole group: a shell would leave behind what it has started.
      const cut = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), COMMAND_MS);
      let printed = '';
      const take = (text: string): void => {
        printed += text;
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(cut);
        resolve({ code, printed });
      });
    });
  }

  private opsUrl(): string | undefined {
    const file = this.folder.files().find((name) => name.endsWith('.db.ops'));
    return file === undefined ? undefined : /http:\/\/[\d.:]+/.exec(this.folder.read(file).toString())?.[0];
  }

  private named(text: string): string {
    return [...this.names].reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
  }

  /** A line with what there is in the place of what the page names: ports, the run, an order, a strategy, a notification. */
  private filled(line: string): string {
    const has = existsSync(this.folder.journal);
    const one = (sql: string): string | undefined => (has ? this.folder.rows<{ found: string }>(sql)[0]?.found : undefined);
    return this.named(line)
      .replace(/--seconds \d+/, '--seconds 2')
      .replace(/kairos sweep(?= )/, '$& --jobs 1')
      .replaceAll('127.0.0.1:8090', `127.0.0.1:${this.ports.venue}`)
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${this.ports.webhooks}`)
      .replaceAll('http://127.0.0.1:8080', this.opsUrl() ?? 'http://127.0.0.1:8080')
      .replace(/\b\d{8}T\d{6}Z-[0-9a-f]{6}\b/g, () => one('SELECT run_id AS found FROM runs ORDER BY started_at DESC LIMIT 1') ?? 'last')
      .replace(/(?<= )(ORDER|\d+-\d)(?= |$)/g, (named) => one(LAST_ORDER) ?? named)
      .replace(/(?<=remote [a-z-]+ )ID\b/, (named) => one(LAST_CREATED) ?? named)
      .replace(/\bn\d+\b/, (named) => one('SELECT id AS found FROM notifications ORDER BY received_at DESC LIMIT 1') ?? named);
  }
}

const LAST_ORDER = "SELECT order_id AS found FROM orders WHERE state IN ('unknown', 'accepted') ORDER BY state DESC, rowid DESC LIMIT 1";
const LAST_CREATED =
  "SELECT json_extract(response, '$.strategyId') AS found FROM actions WHERE action = 'remote.create' ORDER BY rowid DESC LIMIT 1";

function program(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}
