import { expect, test } from 'vitest';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { Inbox } from '#core/engine/inbox.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { quoteWith } from '../../support/quotes.ts';

const other = laneFor(productCode('ethusd'), amountOf({ base: '1' }));

/** An inbox with a list of what it handed over and what it left out; `then` is called with each event. */
function inboxWith(then: (inbox: Inbox, text: string) => void = () => {}) {
  const told: string[] = [];
  const inbox: Inbox = new Inbox({
    clock: new VirtualClock(0),
    log: { append: () => {}, conflated: (_, { id }) => told.push(`left out ${id}`), flush: () => {} },
    first: 1,
    soon: () => {},
    handle({ n, event }) {
      const text = event.kind === 'quote' ? `${event.quote.id}` : event.kind === 'lane' ? event.change.phase : event.kind;
      told.push(`${n} ${text}`);
      then(inbox, text);
    },
  });
  return { inbox, told };
}

test('a lane’s newest quote takes the place of one that waits, at its turn; others and other events keep theirs', () => {
  const { inbox, told } = inboxWith();
  inbox.quote(quoteWith({ id: 'a' }));
  inbox.post({ kind: 'wake' });
  inbox.quote(quoteWith({ id: 'x', lane: other }));
  inbox.quote(quoteWith({ id: 'b' }));
  inbox.drain();
  inbox.quote(quoteWith({ id: 'c' }));
  inbox.drain();
  expect(told).toEqual(['left out a', '1 b', '2 wake', '3 x', '4 c']);
});

test('a quote that comes while the one before is handled has its own turn, behind what else came', () => {
  const { inbox, told } = inboxWith((to, text) => {
    if (text !== 'a') return;
    to.post({ kind: 'wake' });
    to.quote(quoteWith({ id: 'b' }));
    to.quote(quoteWith({ id: 'c' }));
  });
  inbox.quote(quoteWith({ id: 'a' }));
  inbox.drain();
  expect(told).toEqual(['1 a', 'left out b', '2 wake', '3 c']);
});

test('I25: a quote that is played is handled at once, with all that it brings about, but not before what waits', () => {
  const { inbox, told } = inboxWith((to, text) => {
    if (text !== 'a') return;
    to.post({ kind: 'wake' });
    to.play(quoteWith({ id: 'b' }));
    to.play(quoteWith({ id: 'c' }));
  });
  inbox.play(quoteWith({ id: 'a' }));
  expect(told.splice(0)).toEqual(['1 a', 'left out b', '2 wake', '3 c']);
  inbox.post({ kind: 'wake' });
  inbox.quote(quoteWith({ id: 'd' }));
  inbox.play(quoteWith({ id: 'e', lane: other }));
  expect(told).toEqual(['4 wake', '5 d', '6 e']);
});

test('I21: what is handled after an event that failed is handled whole', () => {
  const { inbox, told } = inboxWith((_, text) => {
    if (text === 'a') throw new Error('a');
  });
  expect(() => inbox.play(quoteWith({ id: 'a' }))).toThrow('a');
  inbox.play(quoteWith({ id: 'b' }));
  expect(told).toEqual(['1 a', '2 b']);
});

test('I22: a quote does not overtake a change of its lane', () => {
  const { inbox, told } = inboxWith();
  const quote = quoteWith({ id: 'a' });
  inbox.quote(quote);
  inbox.change({ phase: 'acked', lane: quote.lane, epoch: 2 });
  inbox.quote(quoteWith({ id: 'b', epoch: 2 }));
  inbox.drain();
  expect(told).toEqual(['1 a', '2 acked', '3 b']);
});

test('I21: lanes that were lent and do not come again take no memory that grows', () => {
  const { inbox, told } = inboxWith();
  for (let count = 0; count < 12_000; count++) {
    inbox.quote(quoteWith({ id: 'q', lane: laneFor(productCode(`p${count}`), amountOf({ base: '1' })) }));
    if (count % 2 === 0) inbox.drain();
  }
  inbox.drain();
  expect(told).toHaveLength(12_000);
});
