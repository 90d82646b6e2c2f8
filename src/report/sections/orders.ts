import { type Figure, figure, figuresOf, type Section } from '#report/figures.ts';
import type { Latency, Percentiles } from '#report/metrics/latency.ts';
import { type Metric, missing, ratio } from '#report/metrics/metric.ts';
import { bandText, type SignalAge } from '#report/metrics/signal-age.ts';
import type { FillQuality, QuoteCounts } from '#report/quality.ts';

/** Times on the way of an order. `breakEven`: the latency at which the run would have earned nothing. */
export function latencySection({ ageAtSend, leftAtSend, roundTrip }: Latency, breakEven: Metric): Section {
  const lines = (id: string, label: string, { p50, p95, p99 }: Percentiles): readonly Figure[] => [
    figure(`${id}P50`, `${label}, median`, 'ms', p50),
    figure(`${id}P95`, `${label}, p95`, 'ms', p95),
    figure(`${id}P99`, `${label}, p99`, 'ms', p99),
  ];
  return {
    title: 'Latency',
    figures: [
      ...lines('ageAtSend', 'age of the quote at the send', ageAtSend),
      ...lines('leftAtSend', 'minimum time left at the send', leftAtSend),
      ...lines('roundTrip', 'round trip', roundTrip),
      figure('breakEvenLatency', 'break-even latency', 'ms', breakEven),
    ],
  };
}

/** What the age of signals from outside costs; none where no such signal led to an order. */
export function signalSections(age: SignalAge | undefined): readonly Section[] {
  if (!age) return [];
  const { count, ageP50, edge, gone, halfLife, band } = age;
  return [
    {
      title: 'Signals from outside',
      figures: [
        figure('signalsActedOn', 'signals that led to an order', 'count', count),
        figure('signalAge', 'their age at the decision, median', 'ms', ageP50),
        figure('signalEdge', 'edge at their arrival', 'bps', edge, 'the move of the price within a minute'),
        figure('signalEdgeGone', 'gone of it at the decision', 'bps', gone),
        figure('signalHalfLife', 'half of the edge is gone after', 'ms', halfLife, band && bandText(band)),
      ],
    },
  ];
}

/** `halted`: time in which trading was halted. */
export function qualitySection(
  quality: FillQuality | string,
  quotes: QuoteCounts | string,
  orders: { readonly [state: string]: number },
): Section {
  return {
    title: 'Quotes and orders',
    figures: [
      ...figuresOf(quotes, [
        ['quotes', 'quotes seen', 'count', (q) => q.seen],
        ['quotesReplaced', 'replaced by a newer quote before their turn', 'count', (q) => q.replaced ?? UNNUMBERED],
        ['silences', 'unusually long silences', 'count', (q) => q.silences],
      ]),
      ...figuresOf(quality, [
        ['exactShare', 'exact fills', 'share', exactShare, 'on a recorded quote, at its price and size'],
        ['crowdedFills', 'fills within one validity of an earlier one', 'count', (q) => q.crowded, 'no market impact is assumed'],
      ]),
      figure('ordersSent', 'orders approved', 'count', orders.all ?? 0),
      figure('ordersExpired', 'expired before they could be sent', 'count', orders.expired ?? 0),
      figure('ordersRejected', 'rejected', 'count', orders.rejected ?? 0),
      figure('ordersUnknown', 'unknown outcome', 'count', orders.unknown ?? 0),
      figure('timeHalted', 'time halted', 'duration', orders.haltedMs ?? 0),
    ],
  };
}

const UNNUMBERED = missing('the quotes have no numbers');

const exactShare = ({ exact, fills }: FillQuality): Metric => ratio(exact, fills, 'nothing was executed');
