import { isoTime } from '#domain/names.ts';
import { currencyIn } from '#paper-venue/dialect/codes.ts';
import type { Answers } from './answers.ts';
import type { ServiceBooks } from './books.ts';
import type { WireAnswer, WireRequest } from './http-text.ts';
import { isSigned } from './order-judge.ts';
import type { Scene } from './scene.ts';

/** Queries beyond the specification: orders and balances. */
export class Queries {
  /** Quotes whose orders were queried and answered. */
  readonly asked = new Set<string>();
  private readonly scene: Scene;
  private readonly books: ServiceBooks;
  private readonly answers: Answers;

  constructor(scene: Scene, books: ServiceBooks, answers: Answers) {
    this.scene = scene;
    this.books = books;
    this.answers = answers;
  }

  /** The answer to a query; undefined for other requests. */
  answer(request: WireRequest): WireAnswer | undefined {
    const [, what, quoteId = ''] = /^\/[a-z]+-broker\/api\/(orders|balances)(?:\?quoteId=([0-9a-f-]{36}))?$/.exec(request.path) ?? [];
    if (request.method !== 'GET' || what === undefined) return undefined;
    if (!isSigned(request)) return this.answers.refused({ status: 401, code: 'SIGNATURE', text: 'the signature does not match' });
    const { dialect } = this.scene;
    if (what === 'balances') {
      const held = [...this.books.changes().keys()].map((code) => [currencyIn(dialect, code), this.books.of(code).toString()]);
      return this.answers.json(Object.fromEntries(held));
    }
    this.asked.add(quoteId);
    const order = this.books.executed.get(quoteId);
    if (!order) return this.answers.json([]);
    const { side, price, size, value, fee, feeCcy, at } = order;
    const told = { quoteId, side: side.toUpperCase(), status: 'FILLED', price: Number(price), size: Number(size), value: Number(value) };
    return this.answers.json([
      { orderId: `0f000000-${quoteId.slice(9)}`, ...told, fee: Number(fee), feeCcy: currencyIn(dialect, feeCcy), executedAt: isoTime(at) },
    ]);
  }
}
