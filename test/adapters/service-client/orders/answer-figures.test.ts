import { expect, test } from 'vitest';
import { figuresTold, isMisfit } from '#adapters/service-client/orders/answer-figures.ts';
import type { Fields } from '#adapters/service-client/quotes/decode-quote.ts';

/** What was told, as text, each with the field that told it. */
function told(body: Fields): Record<string, string> | string {
  const read = figuresTold(body, ['traceFee']);
  if (isMisfit(read)) return `${read.field} ${read.why}`;
  const { feeCcy, ...figures } = read;
  const texts = Object.entries(figures).map(([name, { figure, field }]): [string, string] => [name, `${field} ${figure}`]);
  return Object.fromEntries(feeCcy === undefined ? texts : [...texts, ['feeCcy', `${feeCcy.field} ${feeCcy.currency}`]]);
}

test.each<[what: string, body: Fields, told: Record<string, string> | string]>([
  ['a figure of the execution goes before an echo', { size: 1, filledSize: 0.4 }, { size: 'filledSize 0.4' }],
  ['in either order', { filledSize: 0.4, size: 1 }, { size: 'filledSize 0.4' }],
  ['the same twice is one figure', { filledQty: '0.40', cumQty: 0.4 }, { size: 'filledQty 0.4' }],
  ['two echoes must be equal', { size: 1, qty: 2 }, 'qty is not size, 1'],
  ['an order without a limit has no price', { price: 0, size: 1 }, { size: 'size 1' }],
  ['an execution at nothing is told, to be refused', { avgPrice: 0 }, { price: 'avgPrice 0' }],
  ['yes is no figure of it', { filled: true }, {}],
  ['nothing is told by nothing', { size: null, price: '', fee: null }, {}],
  ['below nothing', { size: -1 }, 'size is no figure'],
  ['a rebate', { fee: -0.1 }, { fee: 'fee -0.1' }],
  ['minus nothing is nothing', { fee: '-0' }, { fee: 'fee 0' }],
  ['blanks round it', { size: ' 0.4 ' }, { size: 'size 0.4' }],
  ['an exponent', { size: '4e-1' }, { size: 'size 0.4' }],
  ['a longer one, with a sign', { size: '4E+10' }, { size: 'size 40000000000' }],
  ['a number that is none', { size: Number.NaN }, 'size is no figure'],
  ['more than anything is worth', { size: '1000000000000000001' }, 'size is no figure'],
  ['the most', { size: '1e18' }, { size: 'size 1000000000000000000' }],
  ['less than anything is worth', { size: '9e-19' }, 'size is no figure'],
  ['the least', { size: '1e-18' }, { size: 'size 0.000000000000000001' }],
  ['an empty list of fees', { fees: [] }, {}],
  ['a list of one fee', { fees: [{ cost: 0.1, coin: 'BTC' }] }, { fee: 'fees.cost 0.1', feeCcy: 'fees.coin BTC' }],
  ['a list of two, which is no figure', { fees: [{ cost: 0.1 }, { cost: 0.2 }] }, 'fees is no figure'],
  ['fields inside a fee are of the fee', { fee: { size: 5, value: 0.1, price: 7 } }, { fee: 'fee.value 0.1' }],
  ['its currency twice', { feeCcy: 'BTC', commissionAsset: 'btc' }, { feeCcy: 'feeCcy BTC' }],
  ['two currencies', { feeCcy: 'BTC', feeAsset: 'USD' }, 'feeAsset is not feeCcy'],
  ['a currency that is a number', { feeCcy: 7 }, 'feeCcy is no currency'],
  ['one that is a path', { feeCcy: '../x' }, 'feeCcy is no currency'],
  ['the order inside', { data: [{ order: { size: 1 } }] }, { size: 'data.order.size 1' }],
  ['another object', { user: { size: 1 } }, {}],
  ['a list of two orders', { data: [{ size: 1 }, { size: 2 }] }, {}],
  ['parts add up', { fills: [{ qty: 0.1, fee: 5 }, { data: { qty: '0.3' } }] }, { size: 'fills[].size 0.4' }],
  ['parts without a size say nothing', { fills: [{ qty: 0.1 }, { price: 5 }] }, {}],
  ['parts that are texts say nothing', { trades: ['t-1', 't-2'] }, {}],
  ['no parts', { fills: [] }, {}],
  ['a list that is none of parts', { orders: [{ qty: 0.1 }] }, {}],
  ['parts that are no list', { fills: { qty: 0.1 } }, {}],
  ['a field of the settings is not read', { trace_fee: 7, traceFee: 8 }, {}],
])('%s: %j', (_, body, figures) => {
  expect(told(body)).toEqual(figures);
});

test('what stands deeper than an answer goes is not read', () => {
  const deep = (levels: number): Fields => Array.from({ length: levels }).reduce<Fields>((inside) => ({ data: inside }), { size: 1 });
  expect(told(deep(6))).toEqual({ size: `${'data.'.repeat(6)}size 1` });
  expect(told(deep(7))).toEqual({});
});
