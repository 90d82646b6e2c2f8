import { messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { shortLine } from '#domain/one-line.ts';
import { backOffMs } from '#domain/retry.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import type { ChannelSettings } from './channels.ts';
import { cut } from './message.ts';

/** What can be done from a chat, and nothing else. Each answers with what is written back. */
export interface ChatActs {
  status(): Promise<string>;
  halt(by: By): Promise<string>;
  pause(by: By, strategy: string | null): Promise<string>;
}

/** Who wrote, as `telegram CHAT/USER`, and why. */
interface By {
  readonly who: string;
  readonly why: string;
}

/** One written line. */
interface ChatLine {
  readonly update: number;
  readonly chat: string;
  readonly user: string;
  readonly text: string;
  /** How long ago it was written, by Telegram's clock where it tells the time. */
  readonly ageMs: number;
}

/** A line by its words: `/halt@my_bot prices look wrong`. */
interface ChatWords {
  /** The first word. */
  readonly act: string;
  /** The bot that it names, in lower case; null where it names none. */
  readonly bot: string | null;
  readonly rest: string;
}

/** What is older, as from before an outage, is not done: much may have changed since it was written. */
const STALE_MS = 120_000;
/** How long Telegram holds a question until something is written, in seconds, and how long the answer to anything may take, in milliseconds. */
const HOLD_S = 25;
const ANSWER_MS = 35_000;
const ACTS: readonly string[] = ['status', 'halt', 'pause'];
const HELP = 'From here: status, halt WHY, pause STRATEGY (without one: all). All else takes a terminal or the page.';

interface TelegramCommandsOptions {
  readonly telegram: ChannelSettings['telegram'];
  readonly acts: ChatActs;
  readonly timers: Timers;
  readonly notice: Notice;
}

/** Hears what is written to the bot in the chats of `alerts.telegram.operators`. One process alone may ask for a bot's messages. */
export class TelegramCommands {
  private readonly options: TelegramCommandsOptions;
  private readonly ending = new AbortController();
  private readonly strangers = new Set<string>();
  private next = 0;
  /** The bot's own name, in lower case; asked before anything is heard. */
  private name: string | null = null;
  private over: Promise<void> = Promise.resolve();

  constructor(options: TelegramCommandsOptions) {
    this.options = options;
  }

  /** True where chats are listed and a bot is set up. */
  get isSetUp(): boolean {
    const { token, operators } = this.options.telegram;
    return token !== null && operators.length > 0;
  }

  start(): void {
    if (this.isSetUp) this.over = this.listen();
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.over;
  }

  /** Never rejects: what fails is told once, and asked again, ever later. */
  private async listen(): Promise<void> {
    const { notice, timers } = this.options;
    let failures = 0;
    while (!this.ending.signal.aborted) {
      try {
        this.name ??= nameIn((await this.ask('getMe', {})).result);
        const { result, at } = await this.ask('getUpdates', { offset: this.next, timeout: HOLD_S, allowed_updates: ['message'] });
        if (failures > 0) notice('info', 'Telegram answers again: what is written in its chats is heard');
        failures = 0;
        for (const written of writtenIn(result, at)) {
          this.next = written.update + 1;
          await this.receive(written);
        }
      } catch (error) {
        if (this.ending.signal.aborted) return;
        if (failures === 0) notice('warn', `nothing that is written to the Telegram bot is heard: ${messageOf(error)}`);
        await this.pause(backOffMs('alert', failures), timers);
        failures += 1;
      }
    }
  }

  private async receive({ chat, user, text, ageMs }: ChatLine): Promise<void> {
    const { telegram, notice } = this.options;
    if (!telegram.operators.includes(chat)) {
      if (!this.strangers.has(chat))
        notice('warn', `Telegram chat ${chat} is not among alerts.telegram.operators: what it writes is not heard`);
      this.strangers.add(chat);
      return;
    }
    const written = wordsOf(text);
    if (!this.isMeant(written, chat)) return;
    const answer =
      ageMs > STALE_MS
        ? `not done: "${shortLine(text)}" was written more than two minutes ago; if it still holds, send it again`
        : await this.answerTo(written, `telegram ${chat}/${user}`).catch((error: unknown) => `failed: ${messageOf(error)}`);
    // An act is done whether or not its answer arrives.
    await this.ask('sendMessage', { chat_id: chat, text: cut(answer, 4_000) }).catch((error: unknown) => {
      notice('warn', `an answer does not reach Telegram chat ${chat}: ${messageOf(error)}`);
    });
  }

  /** A group writes to other bots, and its members to each other. */
  private isMeant({ act, bot }: ChatWords, chat: string): boolean {
    const isGroup = chat.startsWith('-');
    return bot === null ? !isGroup || ACTS.includes(act) : bot === this.name;
  }

  private async answerTo({ act, rest: said }: ChatWords, who: string): Promise<string> {
    const { acts, notice } = this.options;
    if (act === 'status') return acts.status();
    if (act !== 'halt' && act !== 'pause') return HELP;
    notice('warn', `${who} writes: ${act}${said === '' ? '' : ` ${said}`}`);
    if (act === 'halt') return acts.halt({ who, why: said || 'from the phone' });
    return acts.pause({ who, why: 'from the phone' }, said === '' || said === 'all' ? null : said);
  }

  private async ask(method: string, body: object): Promise<{ readonly result: unknown; readonly at: Millis }> {
    const { telegram, timers } = this.options;
    const { token, baseUrl } = telegram;
    const { request, Agent } = await import('undici');
    const { connectToAny } = await import('#adapters/service-client/rest/proxy.ts');
    const dispatcher = new Agent({ allowH2: false, connect: connectToAny(5_000), headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
    try {
      const answer = await request(`${baseUrl}/bot${token}/${method}`, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: this.ending.signal,
      });
      const said: { readonly result?: unknown; readonly description?: unknown } = Object(await answer.body.json());
      if (answer.statusCode !== 200)
        throw new Error(`answered ${answer.statusCode}: ${cut(shortLine(String(said.description ?? '')), 200)}`);
      return { result: said.result, at: Date.parse(String(answer.headers.date)) || timers.wallMs() };
    } catch (error) {
      throw new Error(messageOf(error).replaceAll(token ?? '', '[set]'));
    } finally {
      await dispatcher.destroy();
    }
  }

  private pause(ms: number, timers: Timers): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timers.after(ms, resolve);
      this.ending.signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }
}

function wordsOf(text: string): ChatWords {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  const [act = '', bot] = word.toLowerCase().replace(/^\//, '').split('@', 2);
  return { act, bot: bot ?? null, rest: shortLine(rest.join(' ')) };
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => Object(value);

const nameIn = (bot: unknown): string => String(fields(bot).username).toLowerCase();

/** The lines of an answer to getUpdates. What has no text counts as read. */
function writtenIn(updates: unknown, now: Millis): readonly ChatLine[] {
  if (!Array.isArray(updates)) throw new Error('answered something else than updates');
  return updates.map((one: unknown): ChatLine => {
    const { update_id: update, message } = fields(one);
    const { text, chat, from, date } = fields(message);
    const { id, username } = fields(from);
    const ageMs = now - Number(date) * 1_000;
    return {
      update: Number(update),
      chat: String(fields(chat).id),
      user: shortLine(String(username ?? id)),
      text: String(text ?? ''),
      ageMs,
    };
  });
}
