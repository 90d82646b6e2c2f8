/** What a subscription asked for, as far as a frame depends on it. */
export interface FrameLane {
  readonly product: string;
  readonly base: string;
  readonly quote: string;
  /** In base currency. */
  readonly size: number;
}

export interface MadeFrame {
  readonly id: string;
  readonly text: string;
  /** Of both sides: below the threshold there is no spread (spec 2.8, rule 1). */
  readonly price: number;
}

/** Ids of one maker: its number, then a counter, in the form of a UUID. */
function idOf(maker: number, count: number): string {
  const hex = count.toString(16).padStart(20, '0');
  const head = maker.toString(16).padStart(8, '0');
  return `${head}-${hex.slice(0, 4)}-4${hex.slice(5, 8)}-8${hex.slice(9, 12)}-${hex.slice(8)}`;
}

/** Makes the TQ frames of one lane (spec 2.8): about 700 characters, a fresh id and a new price each, as cheaply as can be. */
export class FrameMaker {
  private readonly lane: FrameLane;
  private readonly number: number;
  private readonly wave: number;
  private count = 0;
  private state: number;

  /** `number` keeps the ids of different makers apart, and their prices, which rise and fall once in about six `wave`s of quotes. */
  constructor(lane: FrameLane, number: number, wave = 12) {
    this.lane = lane;
    this.number = number;
    this.wave = wave;
    this.state = (number * 2654435761 + 1) >>> 0;
  }

  /** The next frame; its quote dies `validityMs` after `nowMs`, milliseconds since 1970. */
  next(nowMs: number, validityMs = 3000): MadeFrame {
    const { product, base, quote, size } = this.lane;
    this.count += 1;
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    const id = idOf(this.number, this.count);
    const price = Math.round(6_000_000 + 20_000 * Math.sin(this.count / this.wave + this.number) + (this.state % 4000)) / 100;
    const value = rounded(price * size);
    const fees = `"feeInBaseCcy":${rounded(size * 0.001)},"feeInQuoteCcy":${rounded(value * 0.001)}`;
    const side = `{"price":${price},"size":${size},"value":${value},${fees},"slippage":0.0032187500000000004,"slippagePercentage":0.000005361875000000001}`;
    const text =
      `{"msgType":"TQ","id":"${id}","productCode":"${product}","baseCcy":"${base}","quoteCcy":"${quote}",` +
      `"buyQuote":${side},"sellQuote":${side},"avgQuote":{"size":${size},"value":${value},${fees}},` +
      `"feePercentage":0.1,"spread":0,"spreadPercentage":0,"dailyChangePercentage":1.28125,` +
      `"validUntil":"${new Date(nowMs + validityMs).toISOString()}"}`;
    return { id, text, price };
  }
}

export const rounded = (value: number): number => Math.round(value * 1e8) / 1e8;
