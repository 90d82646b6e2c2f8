/** Who is served when. A round is one period; each member has a slot of it, so that not all are served at once. */
export class Rounds<Member> {
  readonly tickMs: number;
  private readonly slots: readonly Set<Member>[];
  private readonly slotOf = new Map<Member, Set<Member>>();
  private lastTick = 0;

  constructor(periodMs: number) {
    const count = Math.max(1, Math.min(MAX_SLOTS, Math.floor(periodMs / MIN_TICK_MS)));
    this.tickMs = periodMs / count;
    this.slots = Array.from({ length: count }, () => new Set<Member>());
  }

  /**
   * Takes a member in, or moves it, to the emptiest slot of the second half of the coming round: its next turn is
   * between half a period and a whole one away, since it has just been served.
   */
  join(member: Member): void {
    this.leave(member);
    const count = this.slots.length;
    let best: Set<Member> | undefined;
    for (let ahead = count; ahead >= Math.max(1, count >> 1); ahead -= 1) {
      const slot = this.slots[(this.lastTick + ahead) % count];
      if (slot && (!best || slot.size < best.size)) best = slot;
    }
    if (!best) return;
    best.add(member);
    this.slotOf.set(member, best);
  }

  leave(member: Member): void {
    this.slotOf.get(member)?.delete(member);
    this.slotOf.delete(member);
  }

  /** Those whose turn has come by now. After a stall each is served once, not once for every round that was missed. */
  *due(elapsedMs: number): Generator<Member> {
    const tick = Math.floor(elapsedMs / this.tickMs);
    const count = this.slots.length;
    const from = Math.max(this.lastTick, tick - count) + 1;
    this.lastTick = Math.max(this.lastTick, tick);
    for (let slot = from; slot <= tick; slot += 1) yield* this.slots[slot % count] ?? [];
  }
}

const MAX_SLOTS = 20;
const MIN_TICK_MS = 10;
