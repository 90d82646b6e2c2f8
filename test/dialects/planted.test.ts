import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { grade } from './trial.ts';
import { runInDialect, type Seen, type WorldOptions } from './world.ts';

/** A judge that cannot fail is no judge: here the client, or what it sees, is made wrong on purpose, and the judge must say so. */
interface Planted {
  readonly dialect?: readonly string[];
  readonly set?: readonly string[];
  readonly between?: WorldOptions['between'];
  readonly says: RegExp;
}

const PLANTED: Readonly<Record<string, Planted>> = {
  'an order is sent twice': { between: relay({ request: (bytes) => [bytes, bytes] }), says: /was sent 2 times/ },
  'figures of an answer are believed': {
    between: relay({ answer: lied }),
    says: /is booked with size 0\.009, and was executed with 0\.01/,
  },
  '202 is booked as filled': {
    dialect: ['answer-202-open'],
    set: ['service.outcomes={"202":"accepted"}'],
    says: /was not executed, and is booked as executed/,
  },
  'an executed order is taken for rejected': { set: ['service.outcomes={"201":"rejected"}'], says: /was executed, and is rejected here/ },
  'the fee is booked in the wrong currency': {
    dialect: ['fee-untold'],
    set: ['service.feeIn=base'],
    says: /the ledger says .* btc, the service/,
  },
  'a buy is beyond its cap': {
    set: [
      `strategies=[{id: eager, use: "${new URL('eager.ts', import.meta.url).pathname}", product: btcusd, amount: {base: 0.05}}]`,
      'risk={maxOrderValue: off, maxPositionValue: off}',
    ],
    says: /bought for 3\d{3}/,
  },
};

test.each(Object.entries(PLANTED))('%s: unsafe', async (_name, { says, dialect = [], set = [], between }) => {
  const { unsafe } = await runInDialect({ dialect, set, ...(between && { between }) }, judge);
  expect(unsafe.join('; ')).toMatch(says);
});

test('where nothing is planted it trades and nothing is found; what is made wrong in what was seen is unsafe', async () => {
  const [whole, ...wrong] = await runInDialect({ dialect: [], set: [] }, (seen) => [
    judge(seen),
    judge({ ...seen, executions: seen.executions.filter(({ side }) => side === 'sell') }),
    judge({ ...seen, orders: seen.orders.slice(1) }),
    judge({ ...seen, orders: seen.orders.map((order) => ({ ...order, state: 'expired' })) }),
    judge(withSecondBook(seen)),
  ]);
  expect(whole).toMatchObject({ unsafe: [], short: [] });
  expect(wrong.map(({ unsafe }) => unsafe.join('; '))).toEqual([
    expect.stringMatching(/more than was bought/),
    expect.stringMatching(/reached the service, which is not here/),
    expect.stringMatching(/reached the service, and is expired here/),
    expect.stringMatching(/the ledger has BTC and btc/),
  ]);
});

/** A currency has a second book in capitals. */
function withSecondBook(seen: Seen): Seen {
  const database = new Database(seen.journal);
  database.exec("UPDATE ledger SET currency = 'BTC' WHERE rowid = (SELECT max(rowid) FROM ledger WHERE currency = 'btc')");
  database.close();
  return seen;
}

test('it stands still without a line: silent; with a line that names nothing: vague; with the line that it says: stands', async () => {
  const dialect = ['validity-without-zone'];
  const verdicts = await runInDialect({ dialect, set: [] }, (seen) => [
    judge(seen),
    judge({ ...seen, told: [] }),
    judge({ ...seen, told: [{ level: 'warn', text: 'something is wrong' }] }),
  ]);
  expect(verdicts.map((verdict) => grade(verdict, dialect))).toEqual(['stands', 'silent', 'vague']);
});

/** Says that an order was executed to nine tenths, in figures that agree with each other. */
function lied(text: string): string {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const answer = JSON.parse(body);
  const part = (figure: number) => Number((figure * 0.9).toFixed(8));
  const told = JSON.stringify({ ...answer, size: part(answer.size), value: part(answer.value), fee: part(answer.fee) });
  return `${head.replace(/content-length: \d+/i, `content-length: ${Buffer.byteLength(told)}`)}\r\n\r\n${told}`;
}

interface Tampering {
  /** What of an order's bytes is sent, each on a connection of its own. */
  readonly request?: (bytes: Buffer) => readonly Buffer[];
  readonly answer?: (text: string) => string;
}

/** Stands between client and venue and does something to orders. */
function relay({ request = (bytes) => [bytes], answer = (text) => text }: Tampering): NonNullable<WorldOptions['between']> {
  return async (port) => {
    const sockets = new Set<Socket>();
    const keep = (socket: Socket): Socket => {
      sockets.add(socket);
      return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    };
    const server = createServer((client) => {
      keep(client);
      const venue = keep(connect(port, '127.0.0.1'));
      let isOrder = false;
      client.on('data', (bytes) => {
        if (!bytes.toString('latin1').startsWith('POST /svc-broker/api/orders ')) return void venue.write(bytes);
        isOrder = true;
        const [first = bytes, ...more] = request(bytes);
        venue.write(first);
        for (const again of more) keep(connect(port, '127.0.0.1')).write(again);
      });
      venue.on('data', (bytes) => client.write(isOrder ? answer(bytes.toString()) : bytes));
      client.on('close', () => venue.destroy());
      venue.on('close', () => client.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return {
      url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      close: async () => {
        for (const socket of sockets) socket.destroy();
        server.close();
        await once(server, 'close');
      },
    };
  };
}
