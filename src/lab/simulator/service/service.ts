import type { FeeCurrency } from '#core/execution/sizing.ts';
import { Answers } from './answers.ts';
import { ServiceBooks } from './books.ts';
import { ServiceFeed } from './feed.ts';
import type { FeedWatch } from './feed-connection.ts';
import type { HttpWatch } from './http-connection.ts';
import { answerBytes, isOrderPath } from './http-text.ts';
import { IssuedQuotes } from './issued.ts';
import { listed } from './lists.ts';
import { Network } from './network.ts';
import { OrderJudge } from './order-judge.ts';
import { ServiceOrders } from './orders.ts';
import { OwnStrategies } from './own-strategies.ts';
import { PriceWalks } from './price-walks.ts';
import { Queries } from './queries.ts';
import { QuoteFrames } from './quote-frames.ts';
import type { Scene } from './scene.ts';

/** The simulated service: its feed, orders, lists and books. It knows nothing of Kairos's state. */
export class SimulatedService {
  readonly books: ServiceBooks;
  readonly issued = new IssuedQuotes();
  readonly feed: ServiceFeed;
  readonly network: Network;
  readonly strategies: OwnStrategies;
  readonly queries: Queries;

  /** Connections that are open. */
  get connections(): number {
    return this.network.open + this.feed.open;
  }

  constructor(scene: Scene, watch: FeedWatch & HttpWatch) {
    const answers = new Answers(scene);
    const unknownToken = answers.refused({ status: 401, code: 'TOKEN', text: 'the token is not valid' });
    this.books = new ServiceBooks(feeTaken(scene.dialect.feeTaken));
    const orders = new ServiceOrders(scene, new OrderJudge(this.issued, this.books, scene.dialect), answers);
    this.strategies = new OwnStrategies(scene, answers);
    this.queries = new Queries(scene, this.books, answers);
    this.feed = new ServiceFeed(scene, new QuoteFrames(scene, new PriceWalks(scene.plan), this.issued), watch);
    this.network = new Network(scene, {
      watch,
      answer: (request, on) => {
        if (request.method === 'POST' && isOrderPath(request.path)) orders.receive(request, on);
        else if (!this.strategies.receive(request, on)) {
          const answer =
            this.queries.answer(request) ?? (this.strategies.isTaken(request) ? listed(scene, answers, request) : unknownToken);
          on.send(answerBytes(answer));
        }
      },
    });
  }
}

function feeTaken(reading: Scene['dialect']['feeTaken']): FeeCurrency {
  if (reading === 'fee-in-base') return 'base';
  return reading === 'fee-as-received' ? 'received' : 'quote';
}
