/** A defect that is planted into the code while it loads. The product does not contain it. */
export interface PlantedDefect {
  readonly name: string;
  /** The defect in words. */
  readonly what: string;
  /** The file below `src/`, a text that it contains once, and its replacement. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** Ten known mistakes of trading systems and one of control servers; invariants alone must find each. */
export const PLANTED: readonly PlantedDefect[] = [
  {
    name: 'resend-on-time-out',
    what: 'an order without an answer is sent again',
    file: 'adapters/service-client/orders/broker.ts',
    find: 'this.sink?.(order.id, report);',
    put: "this.sink?.(order.id, report); if (report.type === 'answered' && report.reason === 'NO_ANSWER') this.submit(order);",
  },
  {
    name: 'no-expiry-check',
    what: 'the last gate does not look at the time that a quote has left',
    file: 'core/risk/last-gate.ts',
    find: 'if (timeLeftMs <= this.marginMs)',
    put: 'if (timeLeftMs === undefined)',
  },
  {
    name: 'fee-twice',
    what: 'the fee of a fill is booked twice',
    file: 'adapters/journal/tables.ts',
    find: "    { table: 'ledger', row: { ...of, kind: 'fee', currency: feeCcy, amount: signed(fee, false) } },",
    put: "    { table: 'ledger', row: { ...of, kind: 'fee', currency: feeCcy, amount: signed(fee, false) } }, { table: 'ledger', row: { ...of, kind: 'fee', currency: feeCcy, amount: signed(fee, false) } },",
  },
  {
    name: 'lost-late-answer',
    what: 'an answer that comes after the deadline is dropped',
    file: 'adapters/service-client/orders/order-exchange.ts',
    find: "if (late && verdict.outcome === 'unknown') {",
    put: 'if (late) {',
  },
  {
    name: 'no-dedupe',
    what: 'a notification that was kept before is taken again',
    file: 'adapters/webhook-receiver/receiver.ts',
    find: "if (found === 'kept') return TAKEN;",
    put: '',
  },
  {
    name: 'rounding-up',
    what: 'sizes are rounded up to a step',
    file: 'domain/decimal.ts',
    find: 'value.toDecimalPlaces(step.places, Decimal.ROUND_DOWN)',
    put: 'value.toDecimalPlaces(step.places, Decimal.ROUND_UP)',
  },
  {
    name: 'wall-clock-in-the-engine',
    what: "the engine's scheduler reads the machine's clock",
    file: 'core/engine/scheduler.ts',
    find: 'now(): Millis {\n    return this.time;',
    put: 'now(): Millis {\n    const { now } = Date;\n    return now();',
  },
  {
    name: 'unbounded-queue',
    what: 'quotes that wait are worked off one by one',
    file: 'core/engine/inbox.ts',
    find: 'if (waiting !== null) this.options.log.conflated(this.options.clock.now(), waiting);',
    put: "if (waiting !== null) this.post({ kind: 'quote', quote: waiting });",
  },
  {
    name: 're-serialised-body',
    what: 'the body that is sent is not the text that was signed',
    file: 'adapters/service-client/orders/order-requests.ts',
    find: 'headers: this.headers(body, stampMs), body }',
    put: 'headers: this.headers(body, stampMs), body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())) }',
  },
  {
    name: 'halt-not-persisted',
    what: 'a halt is not journaled',
    file: 'core/risk/trading-state.ts',
    find: "this.log.keep(this.log.make('halted', { who, why }, { reason }));",
    put: '',
  },
  {
    name: 'any-host-may-act',
    what: 'the control server takes requests that name another host',
    file: 'server/control/request-guard.ts',
    find: "if (host === undefined || !this.hosts.has(host)) return { status: 403, error: 'the Host header names another server' };",
    put: '',
  },
];

/** The planted defect of a name. Throws an Error that lists the known ones. */
export function plantedNamed(name: string): PlantedDefect {
  const found = PLANTED.find((one) => one.name === name);
  if (!found) throw new Error(`no defect is called ${JSON.stringify(name)}; there are ${PLANTED.map((one) => one.name).join(', ')}`);
  return found;
}

/** The source with a defect. Throws if it does not contain the replaced text exactly once. */
export function withDefect(source: string, { name, file, find, put }: PlantedDefect): string {
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new Error(`defect ${name} does not fit src/${file} any more: its text stands there ${parts.length - 1} times`);
  return parts.join(put);
}
