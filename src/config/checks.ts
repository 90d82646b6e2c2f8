import { signingKey } from '#adapters/service-client/orders/signature.ts';
import { isLoopback } from '#adapters/service-client/rest/service-address.ts';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { modeFacts } from '#domain/mode.ts';
import { knownHint } from '#domain/nearest.ts';
import type { Key } from '#domain/settings/key.ts';
import { shown } from '#domain/settings/shown.ts';
import { BROKER_SECRET, longestOf } from '#paper-venue/defaults.ts';
import { checkChannels, checkWatch } from './alert-settings.ts';
import { instanceId, limitOf } from './build.ts';
import type { CheckInput } from './check-input.ts';
import { isStrategyId } from './entries.ts';
import { keyText } from './faults.ts';
import { KEYS } from './keys.ts';
import type { ResolvedSettings } from './resolved.ts';
import { ALL_KEYS } from './tree.ts';

/** Checks settings against each other, after each was checked alone. */
export function checkTogether(checked: CheckInput): void {
  checkSecret(checked);
  checkWebhooks(checked);
  checkSignals(checked);
  checkTransport(checked);
  checkLimits(checked);
  checkExits(checked);
  checkStops(checked);
  checkInstances(checked);
  checkSchedule(checked);
  checkProductNames(checked);
  checkPrices(checked);
  checkLanes(checked);
  checkWatch(checked);
}

/**
 * What a start needs more than other commands, which may have no secrets: those of channels, webhooks and signals; live trading needs keys and
 * explicit limits.
 */
export function checkStart(checked: CheckInput): void {
  checkChannels(checked);
  checkWebhooksStart(checked);
  const { resolved, faults } = checked;
  const { sources, secret } = KEYS.signals;
  if (resolved.get(sources).length > 0 && resolved.get(secret) === null) {
    faults.add(`${place(resolved, 'signals.sources')}: need a secret; set KAIROS_SIGNALS_SECRET to what openssl rand -hex 32 prints`);
  }
  if (modeFacts(checked.mode).isRealMoney) checkLive(checked);
}

function checkLive({ resolved, faults }: CheckInput): void {
  const { service } = KEYS;
  const needed = [
    ['service.userId', service.userId, 'KAIROS_USER_ID'],
    ['service.apiKey', service.apiKey, 'KAIROS_API_KEY'],
    ['service.apiSecret', service.apiSecret, 'KAIROS_API_SECRET or KAIROS_API_SECRET_FILE'],
  ] as const;
  for (const [name, key, variable] of needed) {
    if (resolved.get(key) === null) faults.add(`${name}: is needed live; set ${variable}`);
  }
  for (const { name, key } of ALL_KEYS) {
    if (key.liveExample === undefined || resolved.isGiven(name)) continue;
    faults.add(`${name}: must be set by you to trade live, such as ${key.liveExample}, or off`);
  }
  if (resolved.get(KEYS.account.opening) === null) {
    faults.add('account.opening: is needed live, such as {usd: 1000, btc: 0.5}: what the account holds now');
  }
  for (const [index, entry] of resolved.get(KEYS.strategies).entries()) {
    if (entry.budget === null) {
      faults.add(`${place(resolved, 'strategies', [index])}.budget: is needed live, such as {usd: 1000}`);
    }
  }
  const { halt, schedule } = KEYS;
  const line = resolved.get(schedule).findIndex(({ action }) => action.startsWith('remote.'));
  if (resolved.get(halt.escalate) === 'pauseAll') needSignIn(place(resolved, 'halt.escalate'), { resolved, faults });
  if (line >= 0) needSignIn(place(resolved, 'schedule', [line, 'action']), { resolved, faults });
}

/** What a command that sends alerts needs more than others: channels that are whole, and what lets it pause the service's strategies. */
export function checkAlerts(checked: CheckInput): void {
  checkChannels(checked);
  const { resolved } = checked;
  if (resolved.get(KEYS.alerts.watch.pauseAllAfter) !== 'never') needSignIn(place(resolved, 'alerts.watch.pauseAllAfter'), checked);
}

/** Refuses what calls the strategies of the service without anything that brings the token for that. */
function needSignIn(here: string, { resolved, faults }: Pick<CheckInput, 'resolved' | 'faults'>): void {
  const { token, refreshTokenFile, username, password } = KEYS.service;
  const isSet = (key: Key<unknown>): boolean => resolved.get(key) !== null;
  if (isSet(token) || isSet(refreshTokenFile) || (isSet(username) && isSet(password))) return;
  faults.add(`${here}: needs a sign-in; set KAIROS_TOKEN, or KAIROS_USERNAME and KAIROS_PASSWORD, or service.refreshTokenFile`);
}

/** Refuses a secret that cannot sign, and off loopback the one that is publicly known (B29). */
function checkSecret({ resolved, mode, faults }: CheckInput): void {
  const secret = resolved.get(KEYS.service.apiSecret);
  if (secret === null) return;
  try {
    signingKey(secret);
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    faults.add(`${resolved.origin('service.apiSecret')}: ${messageOf(error)}`);
    return;
  }
  if (!modeFacts(mode).isForTrials && secret === BROKER_SECRET && !isServiceHere(resolved)) {
    faults.add(`${place(resolved, 'service.apiSecret')}: is the paper venue's, which is public; set your own as KAIROS_API_SECRET`);
  }
}

function isServiceHere(resolved: ResolvedSettings): boolean {
  const baseUrl = resolved.get(KEYS.service.baseUrl);
  return baseUrl !== null && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
}

/** Refuses secrets of webhooks that cannot sign, or are publicly known. */
function checkWebhooks({ resolved, mode, faults }: CheckInput): void {
  const { webhooks } = KEYS;
  for (const [name, key, env] of [
    ['webhooks.secret', webhooks.secret, 'KAIROS_WEBHOOKS_SECRET'],
    ['webhooks.secretPrevious', webhooks.secretPrevious, 'KAIROS_WEBHOOKS_SECRET_PREVIOUS'],
  ] as const) {
    const secret = resolved.get(key);
    if (secret === null) continue;
    try {
      signingKey(secret, { key: name, env });
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      faults.add(`${resolved.origin(name)}: ${messageOf(error)}`);
      continue;
    }
    if (!modeFacts(mode).isForTrials && secret === BROKER_SECRET) {
      faults.add(`${place(resolved, name)}: is the paper venue's, which is public; set your own as ${env}`);
    }
  }
}

/** Webhooks need a secret, without which forged notifications pass, and a user, whose deposits are booked. */
function checkWebhooksStart({ resolved, mode, faults }: CheckInput): void {
  const { webhooks, service } = KEYS;
  if (!resolved.get(webhooks.enabled)) return;
  const here = place(resolved, 'webhooks.enabled');
  const signing = resolved.get(service.apiSecret);
  const isSecret = signing !== null && (modeFacts(mode).isForTrials || signing !== BROKER_SECRET);
  if (resolved.get(webhooks.secret) === null && !isSecret) {
    faults.add(`${here}: needs a secret; set KAIROS_WEBHOOKS_SECRET or KAIROS_API_SECRET`);
  }
  if (resolved.get(service.userId) === null) faults.add(`${here}: needs service.userId, whose deposits are booked; set KAIROS_USER_ID`);
}

/** Sources have names of their own. */
function checkSignals({ resolved, faults }: CheckInput): void {
  const names = resolved.get(KEYS.signals.sources).map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index)
      faults.add(`${place(resolved, 'signals.sources', [index, 'name'])}: ${name} is taken by another source`);
  }
}

/** Refuses Node's switch for certificate checks with a real service (B36). */
function checkTransport({ mode, env, faults }: CheckInput): void {
  if (modeFacts(mode).isForTrials || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  faults.add("env NODE_TLS_REJECT_UNAUTHORIZED: turns off the check of the service's certificate; unset it");
}

/** The maximum order value may not exceed the maximum position value (B39). */
function checkLimits({ resolved, faults }: CheckInput): void {
  const currency = resolved.get(KEYS.account.currency);
  const order = limitOf(resolved.get(KEYS.risk.maxOrderValue), currency);
  const position = limitOf(resolved.get(KEYS.risk.maxPositionValue), currency);
  if (order === 'off' || position === 'off') return;
  for (const [name, most] of Object.entries(order.byCurrency)) {
    const whole = position.byCurrency[name];
    if (whole === undefined || decimalOf(most).lte(whole)) continue;
    const here = place(resolved, 'risk.maxOrderValue');
    faults.add(`${here}: ${most} ${name} is more than risk.maxPositionValue allows (${whole} ${name}); lower the one or raise the other`);
  }
}

/** Tells of a position that may be larger than what leaves without a person: its stops would wait for one. */
function checkExits({ resolved, tell }: CheckInput): void {
  const currency = resolved.get(KEYS.account.currency);
  const given = resolved.get(KEYS.risk.maxExitValue);
  const position = limitOf(resolved.get(KEYS.risk.maxPositionValue), currency);
  const exit = given === 'auto' ? 'off' : limitOf(given, currency);
  if (exit === 'off' || position === 'off') return;
  for (const [name, most] of Object.entries(exit.byCurrency)) {
    const whole = position.byCurrency[name];
    if (whole === undefined || decimalOf(most).gte(whole)) continue;
    const waits = `${most} ${name} is less than risk.maxPositionValue (${whole} ${name}), so that stops of larger positions wait for a person`;
    tell(`${place(resolved, 'risk.maxExitValue')}: ${waits}; raise it, or write auto`);
  }
}

/** Refuses a stop that no price of a position reaches which cannot be short: nothing falls by all that it costs. */
function checkStops({ resolved, faults }: CheckInput): void {
  const allowShort: readonly string[] = resolved.get(KEYS.account.allowShort);
  for (const [index, { exits, products }] of resolved.get(KEYS.strategies).entries()) {
    if (products.some((product) => allowShort.includes(product))) continue;
    for (const name of ['stopLossPct', 'trailingPct'] as const) {
      const given = exits?.[name] ?? 0;
      if (given < 100) continue;
      const here = place(resolved, 'strategies', [index, 'exits', name]);
      faults.add(`${here}: must be below 100, not ${given}: no price falls so far, and the product is not in account.allowShort`);
    }
  }
}

function checkInstances({ resolved, faults }: CheckInput): void {
  const seen = new Map<string, string>();
  for (const [index, entry] of resolved.get(KEYS.strategies).entries()) {
    for (const product of entry.products) {
      const id = instanceId(entry, product);
      const here = place(resolved, 'strategies', [index, 'id']);
      const before = seen.get(id);
      if (before !== undefined) faults.add(`${here}: ${id} is taken by the strategy at ${before}; give each its own`);
      else if (!isStrategyId(id)) {
        faults.add(`${here}: with a list of products it makes ${shown(id)}, which is no id; write one entry for ${product}`);
      }
      seen.set(id, before ?? resolved.origin('strategies', [index]));
    }
  }
}

function checkSchedule({ resolved, faults }: CheckInput): void {
  const ids = resolved.get(KEYS.strategies).flatMap((entry) => entry.products.map((product) => instanceId(entry, product)));
  const names = new Set<string>();
  for (const [index, line] of resolved.get(KEYS.schedule).entries()) {
    if (names.has(line.name)) faults.add(`${place(resolved, 'schedule', [index, 'name'])}: ${line.name} is taken by another line`);
    names.add(line.name);
    if (line.action === 'bot.backup' && resolved.get(KEYS.journal.backup.dir) === null) {
      faults.add(`${place(resolved, 'schedule', [index, 'action'])}: bot.backup needs a folder: set journal.backup.dir`);
    }
    const { strategy } = line.arguments;
    if (typeof strategy !== 'string' || ids.includes(strategy)) continue;
    const here = place(resolved, 'schedule', [index, 'strategy']);
    faults.add(`${here}: there is no strategy ${strategy}; there ${ids.length === 0 ? 'is none' : `are ${ids.join(', ')}`}`);
  }
}

/** Tells of products that a setting names and nothing has: it is without effect, as where the name is misspelt. */
function checkProductNames({ resolved, tell }: CheckInput): void {
  const { account, lanes, strategies } = KEYS;
  const traded = resolved.get(strategies).flatMap(({ products, inputs }) => [...products, ...Object.values(inputs)]);
  const known = new Set([...traded, ...resolved.get(account.rates)].map((one) => (typeof one === 'string' ? one : one.product)));
  const named: readonly (readonly [setting: string, inside: string | number, product: string])[] = [
    ...resolved.get(account.allowShort).map((product, index) => ['account.allowShort', index, product] as const),
    ...resolved
      .get(account.financing.rates)
      .flatMap(({ of }, index) => ('product' in of ? [['account.financing.rates', index, of.product] as const] : [])),
    ...Object.keys(resolved.get(lanes.staleAfter)).map((product) => ['lanes.staleAfter', product, product] as const),
  ];
  // Without any, as for a recorder, there is nothing that a name could miss.
  for (const [setting, inside, product] of known.size === 0 ? [] : named) {
    if (known.has(product)) continue;
    tell(`${place(resolved, setting, [inside])}: no strategy, input or account.rates has ${product}${knownHint(product, known)}`);
  }
}

function checkPrices({ resolved, faults }: CheckInput): void {
  const { venue, service, risk, trading } = KEYS;
  const source = resolved.get(venue.prices.source);
  for (const [name, key] of [['venue.prices.path', venue.prices.path] as const, ['venue.prices.product', venue.prices.product] as const]) {
    const value = resolved.get(key);
    if (source === 'file' && value === null) faults.add(`${place(resolved, 'venue.prices.source')}: file needs ${name}`);
    if (source !== 'file' && value !== null) faults.add(`${place(resolved, name)}: has no effect unless venue.prices.source is file`);
  }
  if (resolved.get(service.baseUrl) !== null) return;
  const longest = longestOf(resolved.get(venue.validityMs));
  for (const [name, key] of [
    ['risk.minTimeLeftMs', risk.minTimeLeftMs],
    ['trading.sendMarginMs', trading.sendMarginMs],
  ] as const) {
    const least = resolved.get<number | 'off'>(key);
    if (least === 'off' || least < longest) continue;
    const here = place(resolved, name);
    faults.add(`${here}: ${least} leaves no quote to trade on, since the venue's live ${longest} ms at most (venue.validityMs)`);
  }
}

/**
 * Refuses to have no lane to lend: a position whose size is no strategy's amount, as after fees, a part or several orders, could never be
 * closed. A service that allows one connection leaves no choice, and that is told.
 */
function checkLanes({ resolved, faults, tell }: CheckInput): void {
  const { max, reserve } = KEYS.lanes;
  if (resolved.get(reserve) > 0) return;
  const here = place(resolved, 'lanes.reserve');
  const unclosed = "0 leaves positions open whose size is not their strategy's amount: a stop or a flatten has no lane to close them on";
  if (resolved.get(max) === 1) tell(`${here}: ${unclosed}`);
  else faults.add(`${here}: ${unclosed}; write 1 or more (0 is for a service that allows one connection: then lanes.max must be 1)`);
}

/** The place for an error line, `kairos.yaml:14: strategies[0].id`, or the name alone for a default. */
function place(resolved: ResolvedSettings, name: string, inside: readonly (string | number)[] = []): string {
  const key = keyText([...name.split('.'), ...inside]);
  return resolved.isGiven(name) ? `${resolved.origin(name, inside)}: ${key}` : key;
}
