/**
 * The faults that a seed may draw, by their numbers in docs/faults.md. `share`: strikes that share of what it can strike while its time
 * lasts; `state`: holds for its time; `moment`: happens once. `figure` is drawn for it and means what its words say.
 */
interface FaultKind {
  readonly what: string;
  readonly how: 'share' | 'state' | 'moment';
  /** Range of the draw. */
  readonly share?: readonly [number, number];
  readonly lastsMs?: readonly [number, number];
  readonly figure?: readonly [number, number];
  /** Weight of the draw; 1 by default. */
  readonly weight?: number;
}

const MINUTE = 60_000;
const order = (what: string, share: readonly [number, number] = [0.05, 0.4]): FaultKind => ({
  what,
  how: 'share',
  share,
  lastsMs: [MINUTE, 10 * MINUTE],
});
const quote = (what: string, share: readonly [number, number] = [0.002, 0.05]): FaultKind => ({
  what,
  how: 'share',
  share,
  lastsMs: [MINUTE, 10 * MINUTE],
});
const subscription = (what: string): FaultKind => ({ what, how: 'share', share: [0.2, 1], lastsMs: [20_000, 2 * MINUTE] });
const state = (what: string, lastsMs: readonly [number, number], figure: readonly [number, number] = [0, 1]): FaultKind => ({
  what,
  how: 'state',
  lastsMs,
  figure,
});
const moment = (what: string, figure: readonly [number, number] = [0, 1], weight = 1): FaultKind => ({
  what,
  how: 'moment',
  figure,
  weight,
});

/** The faults that a simulation draws, by their numbers in `docs/faults.md`. */
export const FAULTS = {
  F01: state('connections for requests are refused', [2_000, 40_000]),
  F02: moment('the certificate of the service is refused for some seconds', [2_000, 8_000]),
  F03: order('the connection is cut after an order was read'),
  F04: order('the connection dies while an order is written'),
  F05: order('the answer to an order comes after the deadline', [0.05, 0.3]),
  F06: order('the answer to an executed order has a strange body'),
  F06b: { ...order('an order is executed in part, at a better price, or with a discount on its fee', [0.1, 0.6]), weight: 4 },
  F07: order('an order is refused by 401', [0.02, 0.2]),
  F08: order('an order is refused by 403, or by a 400 that names the user', [0.05, 0.2]),
  F09: { ...order('an order is answered 404, 409, 415, 422 or 429', [0.05, 0.8]), weight: 2 },
  F10: order('an order is answered 500, 502, 503 or 504'),
  F11: order('an order is answered with a redirect'),
  F12: order('the head of an answer never ends, or its body'),
  F13: order('two answers come on one connection, or broken framing'),
  F14: order('the loop stalls between a decision and its write', [0.2, 0.6]),
  F15: order('an order is on the way for longer than its quote lives'),
  F16: state('a create of a strategy gets no usable answer', [MINUTE, 10 * MINUTE]),
  F17: { what: 'a pause of a strategy gets no clear answer', how: 'share', share: [0.3, 0.8], lastsMs: [MINUTE, 10 * MINUTE] },
  F18: state('tokens and sign-ins are refused', [2 * MINUTE, 10 * MINUTE]),
  F19: state('a product has other limits, or is not listed', [MINUTE, 5 * MINUTE]),
  F20: moment('a person halts while an order is on the way'),
  F21: state('the feed is silent on live connections', [3_000, 40_000]),
  F22: state('the service stands still, and answers all of it at once', [3_000, 40_000]),
  F23: moment('the feed closes its connections with 1000, 1001, 1006 or 1012'),
  F24: state('the feed refuses connections by 403, 429 or 503', [5_000, MINUTE]),
  F25: state('connections of the feed die 300 ms after the ACK', [5_000, MINUTE]),
  F26: subscription('no ACK comes, quotes do'),
  F27: subscription('an ACK echoes something else'),
  F28: subscription('a good request gets ERR'),
  F29: subscription('quotes of the old size come after the ACK of a new one'),
  F30: quote('a quote comes twice, late, or with an earlier end'),
  F31: moment('a connection stalls, and all its quotes come at once', [3_000, 9_000]),
  F32: quote('a quote has no id'),
  F33: quote('a price is crossed, zero, negative, tenfold or a text'),
  F34: quote('a frame is binary, oversize or no UTF-8', [0.001, 0.01]),
  F35: quote('a frame is of a kind that nobody knows'),
  F36: state('a frame comes every 30 s', [MINUTE, 3 * MINUTE]),
  F37: state('connections of the feed clog and clear in turn', [20_000, 2 * MINUTE]),
  F38: { what: 'a notification is delivered many times, some at once', how: 'share', share: [0.5, 1], lastsMs: [10 * MINUTE, 60 * MINUTE] },
  F38b: { what: 'a transfer is reported again with another amount', how: 'share', share: [0.5, 1], lastsMs: [10 * MINUTE, 60 * MINUTE] },
  F39: { what: 'a notification is signed too long ago, or ahead', how: 'share', share: [0.3, 0.8], lastsMs: [10 * MINUTE, 60 * MINUTE] },
  F40: state('notifications reach nobody, and are tried again for hours', [2 * MINUTE, 10 * MINUTE]),
  F41: state('another program holds the journal', [300, 8_000]),
  F41b: {
    what: 'another program holds the journal as the first row of a kind is committed',
    how: 'share',
    share: [0.5, 1],
    lastsMs: [5 * MINUTE, 40 * MINUTE],
    figure: [0, 2_500],
    weight: 3,
  },
  F42: {
    what: 'the process dies between the commit of a notification and its 2xx',
    how: 'share',
    share: [0.3, 1],
    lastsMs: [10 * MINUTE, 60 * MINUTE],
  },
  F44: moment('a notification is forged: signed by another secret, or over other bytes'),
  F45: moment('the machine loses power, or the process is killed', [0, 1], 4),
  F46: moment('the disk is full'),
  F47: moment('a sync fails; what was to be written is there or not'),
  F47b: { ...state('the commit of one kind of row fails', [5 * MINUTE, 40 * MINUTE]), weight: 2 },
  F48: { what: 'a sync takes 0.1 to 5 s', how: 'share', share: [0.01, 0.2], lastsMs: [MINUTE, 10 * MINUTE], figure: [100, 5_000] },
  F49: moment('a second process is started on the journal'),
  F50: moment('the write-ahead log is removed, the journal moved away, or an old copy put back, and the process started'),
  F51: moment('a bit of one of the last rows flips, and the process is started'),
  F52: state('a copy of the journal finds no room, or the process dies in the middle of it', [90_000, 2 * MINUTE]),
  F53: state('another program reads the journal without end', [MINUTE, 10 * MINUTE]),
  F54: moment('the journal is of a newer Kairos'),
  F55: moment('the wall clock is set, half the time about a line of the schedule', [-6_000, 6_000], 3),
  F56: state('the clocks drift apart', [5 * MINUTE, 30 * MINUTE], [-0.002, 0.002]),
  F57: moment('the machine is suspended', [5_000, 600_000], 4),
  F58: {
    what: 'the Date of an answer is missing, garbage, cached or of another backend',
    how: 'share',
    share: [0.1, 0.8],
    lastsMs: [MINUTE, 5 * MINUTE],
  },
  F59: order('the loop stands still between signing and write', [0.3, 0.8]),
  F60: moment('the process is asked to end, and started again'),
  F61: moment('an error is thrown where nobody catches it'),
  F61b: { ...state('one stage of the engine throws', [MINUTE, 20 * MINUTE]), weight: 3 },
  F62: moment('the process is out of memory'),
  F63: state('the process has no file descriptor left for a connection', [2_000, 30_000]),
  F64: state('the processor is taken by others', [5_000, 30_000], [150, 600]),
  F65: moment('the process is killed four times in a few minutes'),
  F66: moment('the process is started again with another configuration'),
  F67: moment('the process is started again with other code'),
  F68: state('a strategy throws', [10_000, MINUTE]),
  F69: moment('a strategy does not come back from a call', [200, 6_000]),
  F70: state('a strategy keeps 20 MB at each call', [MINUTE, 3 * MINUTE]),
  F71: state('a strategy wants orders by the dozen', [10_000, MINUTE]),
  F73: moment('strangers ask the control server: another Host or Origin, a form, guessed tokens'),
  F75: moment('nobody hears the daemon: the file HALT is all that there is'),
} as const satisfies Readonly<Record<string, FaultKind>>;

export type SimulatedFault = keyof typeof FAULTS;
export const FAULT_NAMES: readonly SimulatedFault[] = Object.keys(FAULTS).filter((name): name is SimulatedFault =>
  Object.hasOwn(FAULTS, name),
);
export const kindOf = (name: SimulatedFault): FaultKind => FAULTS[name];
