import type { Side } from '#domain/quote.ts';
import { jsonObjectOf } from './json.ts';
import { type FieldFault, fieldRefusal, type Refusal, refusal } from './refusal.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SIDES: Readonly<Record<string, Side>> = { BUY: 'buy', SELL: 'sell' };

type OrderBody = { readonly quoteId: string; readonly side: Side } | { readonly fault: Refusal };

/**
 * Reads the body of an order (spec 2.10). `SELL` is the other side. The id of a quote is a UUID, whatever its case, so
 * that it cannot be used a second time in capitals.
 */
export function orderBodyOf(bytes: Buffer, sides: Readonly<Record<string, Side>> = SIDES): OrderBody {
  const body = jsonObjectOf(bytes);
  if (!body) return { fault: refusal(400, 'MALFORMED_BODY', 'the body is not a JSON object') };
  const faults: FieldFault[] = [];
  if (body.orderType !== 'MARKET') faults.push(fault('orderType', body.orderType, 'must be MARKET'));
  const { quoteId } = body;
  if (typeof quoteId !== 'string' || !UUID.test(quoteId)) faults.push(fault('quoteId', quoteId, 'must be a UUID'));
  const side = typeof body.side === 'string' && Object.hasOwn(sides, body.side) ? sides[body.side] : undefined;
  if (side === undefined) faults.push(fault('side', body.side, `must be ${Object.keys(sides).join(' or ')}`));
  if (faults.length > 0 || side === undefined || typeof quoteId !== 'string') return { fault: fieldRefusal(400, 'INVALID_ORDER', faults) };
  return { quoteId: quoteId.toLowerCase(), side };
}

function fault(field: string, value: unknown, rule: string): FieldFault {
  const description = `${field} ${value === undefined ? 'is missing; it ' : ''}${rule}`;
  const showable = typeof value === 'string' ? value.slice(0, 64) : value;
  const isPlain = showable === null || ['string', 'number', 'boolean'].includes(typeof showable);
  return isPlain ? { fields: [field], description, rejectedValue: showable } : { fields: [field], description };
}
