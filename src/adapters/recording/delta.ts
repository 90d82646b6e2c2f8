import { codeAt, figureAt } from '#domain/figure-at.ts';

/** Values of a block, and of each of its four miniblocks, as other writers of Parquet choose them. */
const BLOCK = 128;
const MINIBLOCK = 32;

/** Whole numbers up to this one in size keep every difference of two differences exact in doubles. */
export const LARGEST_DELTA = 2 ** 51;

/** Bits that one step packs or unpacks, so that a part of a byte beside them still fits 32 bits. */
const STEP_BITS = 24;

/**
 * Whole numbers of at most LARGEST_DELTA in Parquet's encoding DELTA_BINARY_PACKED: differences in blocks, each packed
 * with just as many bits as its largest needs. Nothing is checked here.
 */
export function packDeltas(values: Float64Array): Uint8Array {
  const writer = new BitWriter(64 + values.length * 3);
  writer.varint(BLOCK);
  writer.varint(BLOCK / MINIBLOCK);
  writer.varint(values.length);
  writer.zigzag(values[0] ?? 0);
  const deltas = new Float64Array(BLOCK);
  const widths = new Uint8Array(BLOCK / MINIBLOCK);
  for (let from = 1; from < values.length; from += BLOCK) {
    const count = Math.min(BLOCK, values.length - from);
    let least = Number.POSITIVE_INFINITY;
    let largest = Number.NEGATIVE_INFINITY;
    let before = figureAt(values, from - 1);
    for (let i = 0; i < count; i += 1) {
      const value = figureAt(values, from + i);
      const delta = value - before;
      before = value;
      deltas[i] = delta;
      if (delta < least) least = delta;
      if (delta > largest) largest = delta;
    }
    writer.zigzag(least);
    if (least === largest) {
      writer.noMiniblocks();
      continue;
    }
    for (let mini = 0; mini < widths.length; mini += 1) {
      const end = Math.min(count, (mini + 1) * MINIBLOCK);
      let most = least;
      for (let i = mini * MINIBLOCK; i < end; i += 1) {
        const delta = figureAt(deltas, i);
        if (delta > most) most = delta;
      }
      widths[mini] = bitsOf(most - least);
      writer.byte(codeAt(widths, mini));
    }
    // What a last block has too many of is packed as nothing.
    if (count < BLOCK) deltas.fill(least, count);
    for (let mini = 0; mini < widths.length; mini += 1) {
      const width = codeAt(widths, mini);
      if (width > 0) writer.miniblock(deltas, { from: mini * MINIBLOCK, least, width });
    }
  }
  return writer.bytes();
}

/** Reads `out.length` numbers back. Throws a RangeError where the bytes are none of `packDeltas`. */
export function unpackDeltas(bytes: Uint8Array, out: Float64Array): void {
  const reader = new BitReader(bytes);
  if (reader.varint() !== BLOCK || reader.varint() !== BLOCK / MINIBLOCK || reader.varint() !== out.length) {
    throw new RangeError('deltas of another shape');
  }
  let value = reader.zigzag();
  if (out.length > 0) out[0] = value;
  const widths = new Uint8Array(BLOCK / MINIBLOCK);
  for (let from = 1; from < out.length; from += BLOCK) {
    const count = Math.min(BLOCK, out.length - from);
    const least = reader.zigzag();
    for (let mini = 0; mini < widths.length; mini += 1) widths[mini] = reader.byte();
    for (let mini = 0; mini * MINIBLOCK < count; mini += 1) {
      const start = from + mini * MINIBLOCK;
      value = reader.miniblock({ width: codeAt(widths, mini), least, value, out, start, end: Math.min(start + MINIBLOCK, from + count) });
    }
  }
}

/** Bits that hold a whole number of at least 0. */
function bitsOf(value: number): number {
  return value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 2 ** 32);
}

class BitWriter {
  private buffer: Uint8Array;
  private length = 0;

  constructor(capacity: number) {
    this.buffer = new Uint8Array(capacity);
  }

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.length] = value;
    this.length += 1;
  }

  /** Four miniblocks of no bits. */
  noMiniblocks(): void {
    this.reserve(4);
    this.buffer.fill(0, this.length, this.length + 4);
    this.length += 4;
  }

  varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }

  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** The lowest `width` bits of 32 differences, each less the least one; they begin and end on a byte. */
  miniblock(deltas: Float64Array, { from, least, width }: { readonly from: number; readonly least: number; readonly width: number }): void {
    this.reserve(width * 4);
    const { buffer } = this;
    let at = this.length;
    let pending = 0;
    let pendingBits = 0;
    for (let i = from; i < from + MINIBLOCK; i += 1) {
      let rest = figureAt(deltas, i) - least;
      for (let left = width; left > 0; left -= STEP_BITS) {
        const bits = left < STEP_BITS ? left : STEP_BITS;
        const part = left > STEP_BITS ? rest % 2 ** STEP_BITS : rest;
        rest = (rest - part) / 2 ** STEP_BITS;
        pending |= part << pendingBits;
        pendingBits += bits;
        for (; pendingBits >= 8; pendingBits -= 8) {
          buffer[at] = pending & 255;
          at += 1;
          pending >>>= 8;
        }
      }
    }
    this.length = at;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = new Uint8Array(this.buffer.length * 2 + bytes);
    larger.set(this.buffer);
    this.buffer = larger;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}

class BitReader {
  private readonly view: DataView;
  private readonly end: number;
  private at = 0;

  constructor(bytes: Uint8Array) {
    // A step reads four bytes at once, also at the very end.
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes);
    this.view = new DataView(padded.buffer);
    this.end = bytes.length;
  }

  byte(): number {
    if (this.at >= this.end) throw new RangeError('deltas end early');
    const value = this.view.getUint8(this.at);
    this.at += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Adds up the differences of one miniblock; returns the last value. */
  miniblock(block: { width: number; least: number; value: number; out: Float64Array; start: number; end: number }): number {
    const { width, least, out, start, end } = block;
    let { value } = block;
    if (width === 0) {
      for (let i = start; i < end; i += 1) {
        value += least;
        out[i] = value;
      }
      return value;
    }
    const { view } = this;
    const from = this.at;
    if (from + width * 4 > this.end) throw new RangeError('deltas end early');
    const low = Math.min(width, STEP_BITS);
    const mask = 2 ** low - 1;
    let bit = 0;
    for (let i = start; i < end; i += 1) {
      let delta = (view.getUint32(from + (bit >>> 3), true) >>> (bit & 7)) & mask;
      bit += low;
      if (width > STEP_BITS) {
        let scale = 2 ** STEP_BITS;
        for (let left = width - STEP_BITS; left > 0; left -= STEP_BITS) {
          const count = Math.min(left, STEP_BITS);
          delta += ((view.getUint32(from + (bit >>> 3), true) >>> (bit & 7)) & (2 ** count - 1)) * scale;
          bit += count;
          scale *= 2 ** STEP_BITS;
        }
      }
      value += delta + least;
      out[i] = value;
    }
    this.at = from + width * 4;
    return value;
  }
}
