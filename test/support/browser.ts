import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { programOf } from './tools.ts';

interface Reply {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
  readonly params?: Readonly<Record<string, unknown>>;
}

const KEY_CODES: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowRight: 39 };

/** A page in a real browser without a window, spoken to by the DevTools protocol. */
export class Page {
  /** Errors that the page's scripts threw or logged. */
  readonly errors: string[] = [];
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];
  private readonly browser: Browser;
  private readonly session: string;
  private loaded: () => void = () => {};

  constructor(browser: Browser, session: string) {
    this.browser = browser;
    this.session = session;
  }

  send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.browser.ask(method, params, this.session);
  }

  async open(url: string): Promise<void> {
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await this.send(`${domain}.enable`);
    const done = new Promise<void>((resolve) => {
      this.loaded = resolve;
    });
    await this.send('Page.navigate', { url });
    await done;
  }

  /** The value of an expression in the page. */
  async value(expression: string): Promise<unknown> {
    const reply = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (reply.exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(reply.exceptionDetails)}`);
    return (reply.result as { value?: unknown }).value;
  }

  /** Waits until an expression is true in the page, or in the one that takes its place meanwhile; fails with `what` if it never is. */
  async until(what: string, expression: string, withinMs = 100_000): Promise<void> {
    const look = () =>
      this.value(`new Promise((done) => {
      const end = performance.now() + ${withinMs};
      const look = () => {
        let is = false;
        try { is = Boolean(${expression}); } catch {}
        if (is || performance.now() > end) done(is); else setTimeout(look, 30);
      };
      look();
    })`);
    const found = await look().catch((error: unknown) => {
      if (/navigated or closed|context was destroyed/.test(String(error))) return look();
      throw error;
    });
    if (!found)
      throw new Error(
        `the page never had ${what}; it says:\n${await this.value("(document.querySelector('dialog') ?? document.body).innerText.slice(0, 4000)")}`,
      );
  }

  /** Clicks with the mouse on the button or link of a name, once it is there and nothing lies over it. */
  async click(name: string, within = 'document'): Promise<void> {
    const one = `[...${within}.querySelectorAll('button, a, summary')].find((one) =>
      (one.getAttribute('aria-label') ?? one.textContent).trim() === ${JSON.stringify(name)} && one.checkVisibility())`;
    const place = `(() => {
      const one = ${one};
      one.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = one.getBoundingClientRect();
      const at = { x: x + width / 2, y: y + height / 2 };
      return one.contains(document.elementFromPoint(at.x, at.y)) ? at : null;
    })()`;
    await this.until(`a button ${name} in sight`, place);
    // What is drawn meanwhile may move it: it must stand still for a moment.
    const { x, y } = (await this.value(`new Promise((done) => {
      let before = null;
      const look = () => {
        let at = null;
        try { at = ${place}; } catch {}
        if (at !== null && at.x === before?.x && at.y === before?.y) return done(at);
        before = at;
        setTimeout(look, 50);
      };
      look();
    })`)) as { x: number; y: number };
    await this.value(
      `globalThis.wasClicked = false; ${one}?.addEventListener('click', () => { globalThis.wasClicked = true; }, { once: true, capture: true })`,
    );
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
    // It has moved between looking and pressing: a person sees that and presses again. A page that goes elsewhere was clicked.
    const wasClicked = await this.value('globalThis.wasClicked').catch((error: Error) => {
      if (error.message.includes('navigated')) return true;
      throw error;
    });
    if (wasClicked === false) await this.click(name, within);
  }

  /** Opens what stands behind a tab of the page. */
  async tab(id: string): Promise<void> {
    await this.until(`a tab ${id}`, `document.getElementById('${id}-tab')`);
    await this.value(`document.getElementById('${id}-tab').click()`);
  }

  /** Writes into the field of a label, instead of what is there. */
  async fill(label: string, text: string): Promise<void> {
    const field = `[...document.querySelectorAll('dialog label')].find((one) => one.textContent.trim().startsWith(${JSON.stringify(label)}))`;
    await this.until(`a field ${label}`, `${field}?.control`);
    await this.value(`${field}.control.select()`);
    await this.write(text);
  }

  /** Presses a key as a person does; `text` for one that writes. */
  async press(key: string, text = key.length === 1 ? key : key === 'Enter' ? '\r' : ''): Promise<void> {
    const keyCode = KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, windowsVirtualKeyCode: keyCode };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...(text !== '' && { text }) });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** Writes where the focus is. */
  async write(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  async look(scheme: 'light' | 'dark'): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await this.frame();
  }

  /** The page as a picture (PNG), as far as it is in sight. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async size(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.frame();
  }

  /** The next frame: charts are drawn anew, and the page has heard of other colours. */
  private async frame(): Promise<void> {
    await this.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
  }

  /** Takes what the browser tells of it. */
  hear({ method, params = {} }: Reply): void {
    if (method === 'Page.loadEventFired') this.loaded();
    if (method === 'Network.requestWillBeSent') this.requests.push((params.request as { url: string }).url);
    if (method === 'Runtime.exceptionThrown') this.errors.push(JSON.stringify(params.exceptionDetails));
    if (method === 'Log.entryAdded') this.errors.push(JSON.stringify(params.entry));
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error') this.errors.push(JSON.stringify(params.args));
  }
}

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--remote-debugging-pipe',
];

/** A browser without a window. It is spoken to through a pipe, and ends by itself when this process does. */
class Browser {
  private readonly profile = mkdtempSync(path.join(tmpdir(), 'kairos-browser-'));
  private readonly child: ChildProcess;
  private readonly ended: Promise<Reply>;
  private readonly pages = new Map<string, Page>();
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private last = 0;
  private said = '';

  constructor(program: string) {
    this.child = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // What is called may be a shell that waits for the browser: they end together.
      detached: true,
    });
    let complaints = '';
    this.child.stderr?.on('data', (bytes) => {
      complaints = (complaints + bytes).slice(-500);
    });
    this.ended = once(this.child, 'exit').then(() => ({ error: { message: `the browser ended: ${complaints}` } }));
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.hear(text));
  }

  /** Hands over a page that shares nothing with others. */
  async withPage(use: (page: Page) => Promise<void>): Promise<void> {
    const { browserContextId } = await this.ask('Target.createBrowserContext');
    const { targetId } = await this.ask('Target.createTarget', { url: 'about:blank', browserContextId });
    const session = String((await this.ask('Target.attachToTarget', { targetId, flatten: true })).sessionId);
    const page = new Page(this, session);
    this.pages.set(session, page);
    try {
      await use(page);
    } finally {
      this.pages.delete(session);
      await this.ask('Target.disposeBrowserContext', { browserContextId });
    }
  }

  async ask(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    this.last += 1;
    const id = this.last;
    const answered = new Promise<Reply>((resolve) => this.waiting.set(id, resolve));
    (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await Promise.race([answered, this.ended]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && (exitCode ?? signalCode) === null) process.kill(-pid, 'SIGKILL');
    await this.ended;
    // Its helpers end a moment after it, and may still write.
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  private hear(text: string): void {
    const messages = (this.said + text).split('\0');
    this.said = messages.pop() ?? '';
    for (const message of messages) {
      const reply: Reply = JSON.parse(message);
      if (reply.id === undefined) this.pages.get(reply.sessionId ?? '')?.hear(reply);
      else this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id ?? 0);
    }
  }
}

let browser: Browser | undefined;

/** Hands over a page. All pages of a process are in one browser, whose start takes half a second of the processor; `endBrowser` ends it. */
export async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  const program = programOf('chromium');
  if (program === undefined) throw new Error('no chromium is installed: apt-get install chromium-headless-shell');
  browser ??= new Browser(program);
  await browser.withPage(use);
}

export async function endBrowser(): Promise<void> {
  await browser?.end();
  browser = undefined;
}
