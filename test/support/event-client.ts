import { type IncomingMessage, request } from 'node:http';
import type { StateChange } from '#server/page/changes.ts';
import { changed } from '../../web/live/changed.ts';

/** One event of a stream. */
export interface Heard {
  readonly name: string;
  readonly id: string | null;
  readonly data: unknown;
}

/** A program that listens to `/api/events` as a page does, or, once it is told to stall, does not read. */
export class EventClient {
  /** Each state is here as a whole, however it came. */
  readonly heard: Heard[] = [];
  /** Lengths of the changes of the state. */
  readonly changes: number[] = [];
  status = 0;
  over = false;
  private readonly sent: ReturnType<typeof request>;
  private response: IncomingMessage | undefined;
  private rest = '';

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.sent = request(url, { agent: false, headers });
    this.sent.on('error', () => this.end());
    this.sent.on('response', (response) => {
      this.response = response;
      this.status = response.statusCode ?? 0;
      response.on('error', () => this.end());
      response.once('close', () => this.end());
      response.setEncoding('utf8').on('data', (text: string) => this.read(text));
    });
    this.sent.end();
  }

  named(name: string): Heard[] {
    return this.heard.filter((one) => one.name === name);
  }

  /** Ids of the decisions that came. */
  get ids(): number[] {
    return this.named('decision').map(({ id }) => Number(id));
  }

  /** Reads nothing from here on, as a laptop that was closed. */
  stall(): void {
    this.response?.pause();
  }

  close(): void {
    this.sent.destroy();
  }

  private end(): void {
    this.over = true;
  }

  private read(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      );
      const data: unknown = JSON.parse(fields.get('data') ?? 'null');
      const name = fields.get('event') ?? 'message';
      if (name === 'change') {
        this.changes.push(block.length);
        this.heard.push({ name: 'state', id: null, data: changed(this.named('state').at(-1)?.data, data as StateChange) });
      } else this.heard.push({ name, id: fields.get('id') ?? null, data });
    }
  }
}
