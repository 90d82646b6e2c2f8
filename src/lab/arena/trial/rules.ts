import type { Score } from '#lab/arena/server/film.ts';

interface Rule {
  readonly title: string;
  /** Its maximum points. */
  readonly of: number;
  /** Points that each breach costs; null if the share of breaches counts. */
  readonly costs: number | null;
  /** True if a bot without orders earns nothing for it. */
  readonly needsOrders: boolean;
}

const ofOrders = (title: string, of: number, costs: number): Rule => ({ title, of, costs, needsOrders: true });
const ofTrouble = (title: string, of: number, costs: number): Rule => ({ title, of, costs, needsOrders: false });

/** The rules for bots, judged by what the service sees. */
export const RULES = {
  trades: { title: 'it goes on trading: orders that the service can execute keep coming', of: 20, costs: null, needsOrders: true },
  signed: ofOrders('orders have the key, the user and the signature of the bytes that were sent', 8, 2),
  stamped: ofOrders("orders are stamped within 5 s of the service's clock", 5, 1),
  formed: ofOrders('orders name a side and a quote that the service gave to this user', 5, 1),
  alive: ofOrders('no order comes after its quote has expired', 12, 3),
  once: ofOrders('no quote is ordered twice', 12, 4),
  unknown: ofTrouble('after an order without a clear answer it does not order the same again without a query of the outcome', 13, 3),
  waits: ofTrouble('after a 429 it waits as long as it is asked to; one order that reduces may pass', 5, 1),
  sane: ofTrouble('no order uses a price that no market has', 4, 2),
  acked: ofTrouble('no order uses a quote of a subscription that was not acknowledged', 4, 1),
  backsOff: ofTrouble('it does not hammer a feed that refuses or drops it', 4, 0.5),
  renews: ofTrouble('a subscription that was lost or refused is asked for again', 4, 2),
  books: ofTrouble("the books that it reports are the service's", 4, 4),
} as const satisfies Readonly<Record<string, Rule>>;

type RuleName = keyof typeof RULES;

export const RULE_NAMES: readonly RuleName[] = Object.keys(RULES).filter((name): name is RuleName => Object.hasOwn(RULES, name));

interface Tally {
  chances: number;
  breaches: number;
  first: string | null;
}

/** Counts chances and breaches of each rule, and computes the score. */
export class Tallies {
  private readonly tallies = new Map<RuleName, Tally>(RULE_NAMES.map((name) => [name, { chances: 0, breaches: 0, first: null }]));
  /** Called for each breach. */
  onBreach: (rule: RuleName, what: string) => void = () => {};
  onChance: (rule: RuleName) => void = () => {};
  orders = 0;

  chance(rule: RuleName): void {
    this.of(rule).chances += 1;
    this.onChance(rule);
  }

  breach(rule: RuleName, what: string): void {
    const tally = this.of(rule);
    tally.breaches += 1;
    tally.first ??= what;
    this.onBreach(rule, what);
  }

  /** Counts a chance for `rule`, and a breach if `what` describes one. */
  hold(rule: RuleName, what: string | null): void {
    this.chance(rule);
    if (what !== null) this.breach(rule, what);
  }

  score(): Score {
    const rows = RULE_NAMES.map((rule) => {
      const { title, of } = RULES[rule];
      const { chances, breaches, first } = this.of(rule);
      return { rule, title, chances, breaches, points: this.pointsOf(rule), of, first };
    });
    const judged = rows.filter(({ points }) => points !== null);
    const worth = judged.reduce((sum, { of }) => sum + of, 0);
    const earned = judged.reduce((sum, { points }) => sum + (points ?? 0), 0);
    return { points: worth === 0 ? 0 : (100 * earned) / worth, rows };
  }

  private pointsOf(rule: RuleName): number | null {
    const { of, costs, needsOrders }: Rule = RULES[rule];
    const { chances, breaches } = this.of(rule);
    if (needsOrders && this.orders === 0) return 0;
    if (chances === 0) return null;
    return Math.max(0, costs === null ? of * (1 - breaches / chances) : of - costs * breaches);
  }

  private of(rule: RuleName): Tally {
    const tally = this.tallies.get(rule);
    if (!tally) throw new Error(`no rule ${rule}`);
    return tally;
  }
}
