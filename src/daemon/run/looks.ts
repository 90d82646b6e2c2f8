/** Looks at one place once at a time: a disk that hangs, as one of a network, holds one thread of the pool, however many look. */
export class Looks<T> {
  private readonly going = new Map<string, Promise<T>>();

  /** What a look at a place finds: the one that is under way, or this. Never comes while the disk hangs. */
  at(place: string, look: () => Promise<T>): Promise<T> {
    const going = this.going.get(place) ?? look().finally(() => this.going.delete(place));
    this.going.set(place, going);
    return going;
  }
}
