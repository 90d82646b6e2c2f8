// A bot as somebody might write it in an evening, from the interface specification alone. It buys and sells in turns, and is careful of nothing.
import { createHmac } from 'node:crypto';

const { BASE_URL = '', API_KEY = '', API_SECRET = '', USER_ID = '1205', PRODUCT = 'btcusd', SIZE = '0.001' } = process.env;
const ORDER_EVERY_MS = Number(process.env.ORDER_EVERY_MS ?? 2_000);
const ANSWER_MS = 1_000;
const PATH = '/svc-broker/api/orders';

let lastOrderAt = 0;
let side = 'BUY';
let held = 0;

/** Spec 5.1: timestamp, method, path, user and body, without separators. */
function signed(method: string, path: string, body: string): Record<string, string> {
  const timestamp = String(Date.now());
  const canonical = `${timestamp}${method}${path}${USER_ID}${body}`;
  const signature = createHmac('sha256', Buffer.from(API_SECRET, 'base64')).update(canonical).digest('base64');
  return {
    'content-type': 'application/json',
    'x-api-key': API_KEY,
    'x-api-timestamp': timestamp,
    'x-api-signature': signature,
    'x-api-user-id': USER_ID,
  };
}

/** Spec 4.4: a market order on a quote. What fails is tried again. */
async function order(quoteId: string, left = 3): Promise<void> {
  const body = JSON.stringify({ orderType: 'MARKET', quoteId, side });
  try {
    const answer = await fetch(`${BASE_URL}${PATH}`, {
      method: 'POST',
      headers: signed('POST', PATH, body),
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    if (answer.ok) {
      held += side === 'BUY' ? 1 : -1;
      side = held > 0 ? 'SELL' : 'BUY';
      return;
    }
    console.log(`order refused: ${answer.status} ${text.slice(0, 200)}`);
    if (answer.status >= 500 && left > 0) await order(quoteId, left - 1);
  } catch (error) {
    console.log(`no answer: ${error instanceof Error ? error.message : error}`);
    if (left > 0) await order(quoteId, left - 1);
  }
}

/** Spec 2.8: a trading quote that can be ordered has an id. */
function onMessage(text: string): void {
  let message: { readonly msgType?: string; readonly errorMsg?: string; readonly id?: string };
  try {
    message = JSON.parse(text);
  } catch {
    console.log(`not JSON: ${String(text).slice(0, 80)}`);
    return;
  }
  if (message.msgType === 'ERR') console.log(`ERR: ${message.errorMsg}`);
  if (message.msgType !== 'TQ' || !message.id) return;
  if (Date.now() - lastOrderAt < ORDER_EVERY_MS) return;
  lastOrderAt = Date.now();
  void order(message.id);
}

/** Spec 4.5: one subscription a connection. A connection that ends is opened again at once. */
function connect(): void {
  const socket = new WebSocket(`${BASE_URL.replace('http', 'ws')}/svc-broker/public/quotes?userId=${USER_ID}`);
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ quoteType: 'TRADING', productCode: PRODUCT, inputSize: Number(SIZE) }));
  });
  socket.addEventListener('message', ({ data }) => onMessage(data));
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', () => setTimeout(connect, 10));
}

connect();
