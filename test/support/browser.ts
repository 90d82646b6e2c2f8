import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { programOf } from './tools.ts';

interface Reply {
  readonly id?: number;
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
  private readonly socket: WebSocket;
  private readonly session: string;
  private last = 0;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private loaded: () => void = () => {};

  constructor(socket: WebSocket, session: string) {
    this.socket = socket;
    this.session = session;
    socket.on('message', (bytes) => this.hear(JSON.parse(String(bytes))));
  }

  async send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    this.last += 1;
    const id = 1_000_000 + this.last;
    const reply = new Promise<Reply>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, sessionId: this.session, method, params }));
    const { result, error } = await reply;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
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
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
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

  private hear({ id, method, params = {}, ...reply }: Reply): void {
    if (id !== undefined) {
      this.waiting.get(id)?.(reply);
      this.waiting.delete(id);
    }
    if (method === 'Page.loadEventFired') this.loaded();
    if (method === 'Network.requestWillBeSent') this.requests.push((params.request as { url: string }).url);
    if (method === 'Runtime.exceptionThrown') this.errors.push(JSON.stringify(params.exceptionDetails));
    if (method === 'Log.entryAdded') this.errors.push(JSON.stringify(params.entry));
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error') this.errors.push(JSON.stringify(params.args));
  }
}

/** Starts a browser, hands over a page, and leaves nothing running. */
export async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  const program = programOf('chromium');
  if (program === undefined) throw new Error('no chromium is installed: apt-get install chromium');
  const profile = mkdtempSync(path.join(tmpdir(), 'kairos-browser-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
  ];
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    const socket = new WebSocket(await addressIn(child.stderr));
    await once(socket, 'open');
    const ask = browserOf(socket);
    const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
    try {
      await use(new Page(socket, String(sessionId)));
    } finally {
      socket.close();
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
    // Its helpers end a moment after it, and may still write.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function browserOf(socket: WebSocket) {
  let id = 0;
  return (method: string, params: object): Promise<Readonly<Record<string, unknown>>> => {
    id += 1;
    const own = id;
    return new Promise((resolve) => {
      socket.on('message', function hear(bytes) {
        const reply: Reply = JSON.parse(String(bytes));
        if (reply.id !== own) return;
        socket.off('message', hear);
        resolve(reply.result ?? {});
      });
      socket.send(JSON.stringify({ id: own, method, params }));
    });
  };
}

async function addressIn(stderr: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const bytes of stderr) {
    text += bytes.toString();
    const found = /DevTools listening on (ws:\S+)/.exec(text);
    if (found?.[1]) return found[1];
  }
  throw new Error(`the browser did not start: ${text.slice(-500)}`);
}
