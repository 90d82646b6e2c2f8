import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import { NOTHING } from './folded-book.ts';
import type { JournalEye } from './journal-eye.ts';
import { JournalFold, reduces } from './journal-fold.ts';
import { type JournalRow, type RowCheck, rowsOf } from './journal-rows.ts';
import {
  type HeldFigure,
  NEARLY,
  OF_BOTH,
  OF_COUNTS,
  OF_EXITS,
  OF_OPENINGS,
  type OrderAtHand,
  type RunSettings,
} from './reckoned-figures.ts';
import { checkTables } from './tables-check.ts';
import { checkExit, checkSize } from './wanted-check.ts';

/** A stop holds before its row: refusals by it may stand up to so long in front of that, in milliseconds. */
const ROW_FOLLOWS_MS = 10_000;

/**
 * Reckons from the journal's rows what each order was compared with, as it was permitted or refused: figures, limits and the list of checks
 * (I05, I07b), the sizes that were wanted (I11), due exits, and what the tables say of orders.
 */
export function checkFigures(eye: JournalEye, scene: Scene, violate: Violate): void {
  new FiguresCheck(eye, scene, violate).check();
}

class FiguresCheck {
  private readonly eye: JournalEye;
  private readonly scene: Scene;
  private readonly violate: Violate;
  private readonly fold = new JournalFold();
  private readonly runs = new Map<string, RunSettings>();
  /** The last intent that an order came of. */
  private wanted: JournalRow | null = null;
  /** Why nothing may open in this run before a person has looked at it; null: it may, or a person has. */
  private unsure: string | null = null;
  private reducedAt = 0;
  /** The row before the present one. */
  private before = '';
  /** Refusals by stops without a row so far. */
  private early: { readonly kind: string; readonly at: number; readonly what: string }[] = [];

  constructor(eye: JournalEye, scene: Scene, violate: Violate) {
    this.eye = eye;
    this.scene = scene;
    this.violate = violate;
  }

  check(): void {
    for (const { run_id, config_json } of this.eye.rows<{ run_id: string; config_json: string }>('SELECT run_id, config_json FROM runs'))
      this.runs.set(run_id, JSON.parse(config_json));
    for (const row of rowsOf(this.eye)) {
      const settings = this.runs.get(row.run_id);
      // Where engine time has gone back, counts of a minute have times ahead of it.
      const isInOrder = row.at >= this.fold.latest;
      if (row.kind === 'started') this.begun(row, settings);
      if (settings && isInOrder) this.judge(row, settings);
      if (row.kind === 'reducing' || row.kind === 'armed' || row.kind === 'resumed') this.unsure = null;
      this.before = row.kind;
      this.stopped(row);
      this.fold.apply(row);
    }
    checkTables(this.eye, this.fold, this.violate);
    for (const { at, what } of this.early) if (at < this.fold.latest - ROW_FOLLOWS_MS) this.violate('I08', what);
  }

  /** A start after a crash, or with orders of unknown outcome, lets exits pass alone. */
  private begun({ run_id }: JournalRow, settings: RunSettings | undefined): void {
    const ids = [...this.runs.keys()];
    const before = ids[ids.indexOf(run_id) - 1];
    const [ended] =
      before === undefined ? [] : this.eye.rows<{ end_state: string | null }>('SELECT end_state FROM runs WHERE run_id = ?', before);
    const isCrashed = ended !== undefined && (ended.end_state === null || ended.end_state === 'crashed');
    const isStopped = this.fold.reducing || this.fold.halted || settings === undefined;
    // A person may have gone on while no process ran.
    this.unsure = isCrashed && !isStopped && this.before !== 'resumed' ? 'a crash' : null;
  }

  private reducing({ reason, detail: { why = '' } }: JournalRow, { risk }: RunSettings): void {
    const { fold } = this;
    const [figure = Number.NaN] = (/^\d+/.exec(why) ?? []).map(Number);
    this.reducedAt = fold.latest;
    const { maxRejectionStreak } = risk;
    if (reason === 'REJECTION_STREAK' && (figure !== fold.rejections || maxRejectionStreak === 'off' || figure < maxRejectionStreak))
      this.violate('I05', `trading is REDUCING: ${why}; reckoned are ${fold.rejections} rejections in a row`);
    if (reason === 'LOSS_STREAK' && (figure !== risk.maxLossStreakOfAll || fold.lossesOfAll < figure))
      this.violate('I05', `trading is REDUCING: ${why}; reckoned are ${fold.lossesOfAll} losses in a row`);
  }

  /** REDUCING ends by itself when its time is over. */
  private rearmed({ at, detail: { why = '' } }: JournalRow, { trading: { arming } }: RunSettings): void {
    if (why.startsWith('trading.rearmAfter') && (arming.rearmAfterMs === null || at - this.reducedAt < arming.rearmAfterMs))
      this.violate('I09', `trading was armed by itself ${at - this.reducedAt} ms after REDUCING`);
    if (why.startsWith('trading.arm is auto') && arming.arm !== 'auto') this.violate('I09', `trading was armed by itself: ${why}`);
  }

  private judge(row: JournalRow, settings: RunSettings): void {
    if (row.kind === 'intent') this.wanted = row;
    if (row.kind === 'approved') this.approved(row, settings);
    if (row.kind === 'refused' && row.detail.repeated === undefined) this.refused(row, settings);
    if (row.kind === 'exit') checkExit(row, this.fold, { settings, violate: this.violate });
    if (row.kind === 'reducing') this.reducing(row, settings);
    if (row.kind === 'armed') this.rearmed(row, settings);
  }

  private approved(row: JournalRow, settings: RunSettings): void {
    const { detail, strategy, product, at } = row;
    if (!detail.order || !detail.checks) return;
    const { price, size, value, fee, ...rest } = detail.order;
    const order = { ...rest, strategy, product, at, price: Number(price), size: Number(size), value: Number(value), fee: Number(fee) };
    const interval = this.fold.interval(strategy, product);
    const { seen } = this.scene.troubles;
    const [hasWildPrices, hasOtherLimits] = [seen.has('F33'), seen.has('F19')];
    const of: OrderAtHand = { fold: this.fold, order, interval, settings, hasWildPrices, hasOtherLimits };
    const isExit = reduces(interval, order.side, order.size);
    const what = `${isExit ? 'exit' : 'opening'} ${row.order_id} of ${strategy}`;
    const checks = new Map(detail.checks.map((one) => [one[0], one]));
    const [own, others] = isExit ? [OF_EXITS, OF_OPENINGS] : [OF_OPENINGS, OF_EXITS];
    for (const name of Object.keys(others)) if (checks.has(name)) this.violate('I07b', `${what} was compared with ${name}`);
    for (const [name, figureOf] of Object.entries({ ...own, ...OF_BOTH })) {
      const wanted = figureOf(of);
      const found = checks.get(name);
      if (wanted === null || Number.isNaN(wanted.limit)) continue;
      if (!found) this.violate('I05', `${what} was not compared with ${name}`);
      else this.compare(what, found, wanted);
    }
    for (const [name, , , passed = true] of detail.checks) if (!passed) this.violate('I05', `${what} was permitted against ${name}`);
    const coarser = hasOtherLimits ? 10 : 1;
    if (this.wanted?.order_id === row.order_id) checkSize(this.wanted, of, { coarser, violate: this.violate });
    if (!isExit && this.isClosed(strategy, at)) this.violate('I05', `${what} was permitted outside of its windows`);
    if (!isExit && this.unsure !== null) this.violate('I09', `${what} was permitted after ${this.unsure}, which nobody has looked at`);
    const { maxRejectionStreak } = settings.risk;
    if (!isExit && maxRejectionStreak !== 'off' && this.fold.rejections >= maxRejectionStreak && !this.fold.armedSince)
      this.violate('I05', `${what} was permitted after ${this.fold.rejections} rejections in a row`);
    if (
      this.fold.open.size > 0 &&
      !isExit &&
      [...this.fold.open.values()].some((one) => one.product === product && one.state === 'unknown')
    )
      this.violate('I03', `${what} was permitted while an order of ${product} is unknown`);
    if (
      !isExit &&
      [...this.fold.open.values()].some((one) => one.product === product && one.strategy === strategy && one.state === 'intent')
    )
      this.violate('I05', `${what} was permitted while another of its book was under way`);
  }

  private compare(what: string, [name, figure, limit]: RowCheck, wanted: HeldFigure): void {
    const isFigure = Math.abs(Number(figure) - wanted.figure) <= wanted.within + NEARLY * Math.abs(wanted.figure);
    const isLimit = Math.abs(Number(limit) - wanted.limit) <= wanted.within + NEARLY * Math.abs(wanted.limit);
    if (!isFigure || !isLimit)
      this.violate(
        'I05',
        `${what} was compared with ${name} at ${figure}, limit ${limit}; reckoned are ${wanted.figure}, limit ${wanted.limit}`,
      );
  }

  private refused(row: JournalRow, settings: RunSettings): void {
    const { reason, strategy, product, at, detail } = row;
    const { intent, checks = [] } = detail;
    const last = checks.at(-1);
    if (!intent) return;
    const { fold } = this;
    const interval = fold.interval(strategy, product);
    const open = [...fold.open.values()].filter((one) => one.product === product);
    const what = `an order of ${strategy} in ${product} was refused by ${reason}`;
    const because = (isSo: boolean): void => {
      if (!isSo)
        this.violate(
          'I07b',
          `${what} at ${new Date(at).toISOString()}, which is not so: ${JSON.stringify(last)}, ${JSON.stringify(intent.wants)}, ${JSON.stringify(interval)}`,
        );
    };
    if (reason === 'HALTED' || reason === 'DISARMED' || reason === 'REDUCING' || reason === 'PAUSED' || reason === 'DISABLED') {
      if (!this.isStopped(reason, strategy)) this.early.push({ kind: reason, at, what: `${what}, and no row says so` });
    } else if (reason === 'IN_FLIGHT') because(open.some((one) => one.strategy === strategy && one.state === 'intent'));
    else if (reason === 'PRODUCT_FROZEN') because(open.some((one) => one.state === 'unknown'));
    else if (reason === 'OUTSIDE_WINDOW') because(this.isClosed(strategy, at));
    else if (reason === 'DUPLICATE') {
      const twin = fold.lastOpening(strategy, product);
      because(twin?.side === intent.side && Math.abs(at - twin.at - Number(last?.[1])) <= 1);
    } else if (reason === 'POSITION_UNSURE') because(interval.low !== interval.high);
    else if (reason === 'NO_POSITION') {
      const held = fold.book(strategy, product).size;
      because(Math.abs(held) < NOTHING || held > 0 === (intent.side === 'buy'));
    } else if (reason === 'SERVICE_WAIT') because(Math.abs(fold.waitUntil - at - Number.parseFloat(String(last?.[1]))) <= 1);
    else if (reason === 'LOSS_COOLDOWN') {
      const until = Date.parse(/until (\S+)$/.exec(String(last?.[1]))?.[1] ?? '');
      because((fold.lostAt.get(strategy) ?? []).some((lost) => lost + settings.risk.lossCooldown === until));
    } else if (last && last[0] === reason) this.limited(row, last, settings);
  }

  /** A limit on value or number has refused. */
  private limited({ at, strategy, product, detail: { intent } }: JournalRow, last: RowCheck, settings: RunSettings): void {
    const [name, figure, limit] = last;
    if (typeof limit !== 'number' && typeof limit !== 'string') return;
    const [found, most] = [Number(figure), Number(limit)];
    if (/^(MAX_|BUDGET|INSUFFICIENT|UNKNOWN|COLLAR)/.test(name) && found <= most)
      this.violate('I07b', `an order of ${strategy} in ${product} was refused by ${name}: ${figure}, limit ${limit}`);
    const { fold } = this;
    const counted = OF_COUNTS[name]?.({ fold, at, strategy, product, settings });
    if (intent && counted !== undefined && counted !== found)
      this.violate('I05', `an order of ${strategy} in ${product} was refused by ${name} at ${figure}; reckoned are ${counted}`);
  }

  private isClosed(strategy: string, at: number): boolean {
    const { hours } = this.scene.plan.strategies.find(({ id }) => id === strategy) ?? {};
    const into = at - this.scene.world.startsAt;
    return hours?.closed.some(([from, to]) => into >= from && into < to) === true;
  }

  private isStopped(reason: string, strategy: string): boolean {
    const { fold } = this;
    if (reason === 'HALTED') return fold.halted;
    if (reason === 'DISARMED') return fold.disarmed;
    if (reason === 'REDUCING') return fold.reducing;
    return reason === 'PAUSED' ? fold.isPaused(strategy) : fold.disabled.has(strategy);
  }

  /** The row of a stop has come, behind refusals by it. */
  private stopped({ kind, at }: JournalRow): void {
    if (kind === 'started') this.early = [];
    else if (this.early.length > 0)
      this.early = this.early.filter((one) => one.kind.toLowerCase() !== kind || at < one.at - ROW_FOLLOWS_MS);
  }
}
