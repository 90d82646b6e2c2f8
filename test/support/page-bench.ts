import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import type { StateView } from '#server/page/view.ts';
import { type Page, withPage } from './browser.ts';
import { DaemonFolder } from './daemon-folder.ts';
import { freePort } from './free-port.ts';
import { plainRequest } from './plain-request.ts';
import { type Started, startKairos } from './process.ts';

const DAY_MS = 86_400_000;
/** What the tests of a page take at most. */
const LOOKED_AT_MS = 600_000;

/** True while the page is told of what goes on. */
export const LIVE = "document.querySelector('.glance .line dd').textContent === 'live'";

/** A daemon of its own folder whose page is always found at the same address. */
export class PageBench {
  readonly folder: DaemonFolder;
  readonly url: string;
  daemon: Started;
  private readonly port: number;

  private constructor(folder: DaemonFolder, port: number) {
    this.folder = folder;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.daemon = this.run();
  }

  /** Starts a daemon with a configuration, on a day that does not end while its page is looked at; `files` are written beside it. */
  static async start(config: string, files: Readonly<Record<string, string>> = {}): Promise<PageBench> {
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < LOOKED_AT_MS) await pause(leftMs + 1_000);
    const folder = new DaemonFolder('page');
    for (const [name, text] of Object.entries(files)) folder.write(name, text);
    folder.write('kairos.yaml', config);
    return new PageBench(folder, await freePort());
  }

  /** What a person would copy into the page. */
  get token(): string {
    return readFileSync(controlFiles(this.folder.journal).token, 'utf8').trim();
  }

  /** Has the daemon do something without the page, in the name of bob. */
  async ask(act: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ who: 'bob', why: 'for a test', ...body }) };
    const { status, body: text } = await plainRequest(`${this.url}/api/${act}`, request);
    if (status !== 200) throw new Error(`${act}: ${status} ${text}`);
  }

  /** What the daemon answers. */
  async get<View>(path: string): Promise<View> {
    const { status, body } = await plainRequest(`${this.url}${path}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    return JSON.parse(body);
  }

  /** The last row of the journal: what is told after it belongs to the test that asks. */
  lastRow(): number {
    return this.folder.rows<{ seq: number }>('SELECT max(seq) AS seq FROM decisions')[0]?.seq ?? 0;
  }

  /** Has it run and trade, with these strategies paused and no others, whatever a test or a first try has left. */
  async ready(paused: readonly string[] = []): Promise<void> {
    if (!this.daemon.isRunning) this.again();
    const answered = () => this.get<StateView>('/api/state').catch(() => undefined);
    const { trading, strategies } = await this.daemon.until('answer', answered);
    if (trading === 'ACTIVE' && strategies.every((one) => one.paused === paused.includes(one.id))) return;
    await this.ask('resume', {});
    for (const { id } of strategies.filter((one) => one.paused && !paused.includes(one.id))) await this.ask('resume', { strategy: id });
    for (const strategy of paused) await this.ask('pause', { strategy });
  }

  async trading(): Promise<void> {
    await this.daemon.until('accepted order', () => this.folder.accepted());
  }

  /**
   * Opens the page in a browser, and holds at the end that it erred nowhere and asked nobody else. `refusals`: what the
   * daemon refuses, or does not answer while it is down, is part of the test.
   */
  async opened(use: (page: Page) => Promise<void>, { refusals = false }: { readonly refusals?: boolean } = {}): Promise<void> {
    await withPage(async (page) => {
      await page.size(1280, 800);
      await page.open(`${this.url}/`);
      await page.until('a live line', LIVE);
      await use(page);
      expect(page.requests.filter((one) => !one.startsWith(`${this.url}/`) && !one.startsWith('data:'))).toEqual([]);
      expect(page.errors.filter((one) => !refusals || !one.includes('"source":"network"'))).toEqual([]);
    });
  }

  /** Ends the daemon as a person would. */
  async stop(): Promise<void> {
    this.daemon.signal('SIGTERM');
    await this.daemon.ended;
  }

  again(): void {
    this.daemon = this.run();
  }

  private run(): Started {
    return startKairos(['run', '--set', `ops.port=${this.port}`], { cwd: this.folder.path });
  }
}
