import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that was sent to a chat. */
interface Sent {
  readonly chat: string;
  readonly text: string;
}

/** Telegram's bot API as far as Kairos asks it: what is written waits for getUpdates, which is held until there is something. */
export class Telegram {
  readonly sent: Sent[] = [];
  readonly paths = new Set<string>();
  /** What getUpdates is answered with in place of updates, for once. */
  failOnce: number | null = null;
  /** The bot's own name. */
  username = 'My_bot';
  private readonly updates: { readonly update_id: number }[] = [];
  private readonly held: (() => void)[] = [];
  private readonly heard: (() => void)[] = [];
  private readonly server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part;
    });
    request.on('end', () => this.answer(request.url ?? '', JSON.parse(text), response));
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  write(text: string, chat = 77, username = 'ann', { ageMs = 0 } = {}): void {
    const date = Math.floor((Date.now() - ageMs) / 1_000);
    const message = { date, text, chat: { id: chat }, from: { id: 5, username } };
    this.updates.push(Object.assign({ update_id: this.updates.length + 1 }, { message }));
    for (const go of this.held.splice(0)) go();
  }

  /** Resolves once so many messages were sent. */
  async answers(count: number): Promise<readonly string[]> {
    while (this.sent.length < count) await new Promise<void>((resolve) => void this.heard.push(resolve));
    return this.sent.map(({ text }) => text);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(path: string, said: { offset?: number; chat_id?: string; text?: string }, response: ServerResponse): void {
    this.paths.add(path);
    const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (path.endsWith('/sendMessage')) {
      this.sent.push({ chat: said.chat_id ?? '', text: said.text ?? '' });
      for (const go of this.heard.splice(0)) go();
      return void send(200, { ok: true, result: {} });
    }
    if (this.failOnce !== null) {
      const status = this.failOnce;
      this.failOnce = null;
      return void send(status, { ok: false, description: 'Conflict: terminated by other getUpdates request' });
    }
    if (path.endsWith('/getMe')) return void send(200, { ok: true, result: { id: 1, is_bot: true, username: this.username } });
    const result = this.updates.filter(({ update_id }) => update_id >= (said.offset ?? 0));
    if (result.length > 0) return void send(200, { ok: true, result });
    this.held.push(() => this.answer(path, said, response));
  }
}
