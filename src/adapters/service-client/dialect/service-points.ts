import { named, point, stands, trades } from './point.ts';

/** What the specification leaves open about addresses, lists, strategies and notifications (spec 2.3, 2.5, 2.6, 2.9, 4, 5). */
export const SERVICE_POINTS = {
  brand: point('4.4 path', "the service's name inside paths and the field of a user", {
    'brand-svc': trades('svc'),
    'brand-acme': named('acme: /acme-broker, acmeUserId', { 'service.brand': 'acme' }),
  }),
  paths: point('4.4, 4.5 path', 'the paths of orders and quotes', {
    'paths-as-specified': trades('<prefix>/public/quotes, <prefix>/api/orders'),
    'paths-of-old': named('<prefix>/quotes, <prefix>/api/trades', {
      'service.paths.quotes': '/{brand}-broker/quotes',
      'service.paths.orders': '/{brand}-broker/api/trades',
    }),
  }),
  agent: point('4', 'whether a request must say who sends it', {
    'any-agent': trades('no'),
    'agent-needed': trades('403 without User-Agent, also for the feed'),
  }),
  redirects: point('4', 'whether a GET is answered where it is asked', {
    'answered-there': trades('yes'),
    'redirected-gets': trades('no: 307 to another path of the same host'),
  }),
  dates: point('5.1 rule 4', "whether answers tell the service's time", {
    'dated-answers': trades('each has the header Date'),
    'undated-answers': named('none has the header Date', { 'clock.source': 'system' }),
  }),
  productList: point('4.3', 'the form of the list of products', {
    'product-list': trades('a list'),
    'product-list-in-data': trades('a list in the field data'),
    'product-pages': trades('pages of two, with the address of the next in the header Link and in the field next'),
    'products-empty-at-first': trades('an empty list for the first second'),
    'product-null-limit': trades('a list; a product that is not traded has null for a limit'),
    'products-by-key': trades('401 without the four headers of the API key'),
  }),
  limits: point('2.6', 'how the limits of a product are written', {
    'number-limits': trades('numbers'),
    'text-limits': trades('texts'),
  }),
  accounts: point('2.5 id', 'how the id of an account is written', {
    'account-text-ids': trades('a text'),
    'account-number-ids': trades('a number'),
  }),
  find: point('2.3', 'how strategies are read back', {
    'find-as-noted': trades('strategyId as a text, state as a map'),
    'find-number-ids': trades('strategyId as a number'),
    'find-text-states': trades('state as a text'),
    'find-by-creator': stands('createdByUserId alone: nothing names the strategy'),
  }),
  notified: point('2.9 currency', 'how a currency is written in a notification', {
    'notified-in-upper': trades('BTC'),
    'notified-in-lower': trades('btc'),
    'notified-in-title': trades('Btc'),
  }),
  secret: point('5.1 rule 2', 'how the secret is handed out', {
    'padded-secret': trades('Base64 with its padding'),
    'unpadded-secret': trades('Base64 without its padding'),
  }),
} as const;
