import type { ReportSink } from '#ports/broker.ts';
import type { Notice } from '#ports/notice.ts';

/**
 * Stands before the sink of reports and says once where an executed order's answer tells no fee: then its currency is a guess until a person
 * has held the account against the books (spec 2.8 has a fee in both currencies, and says not which is taken).
 */
export function tellingOfUntoldFees(sink: ReportSink, { feeIn, notice }: { readonly feeIn: string; readonly notice: Notice }): ReportSink {
  let told = false;
  return (orderId, report) => {
    if (!told && report.type === 'answered' && report.outcome === 'accepted' && report.figures.fee === undefined) {
      told = true;
      const booked = feeIn === 'received' ? 'in what is received' : `in ${feeIn} currency`;
      notice(
        'warn',
        `order ${orderId}: its answer tells no fee, so fees are booked ${booked} and may be taken otherwise: compare the account with \`kairos ledger balances\`, then set service.feeIn to quote, base or received`,
      );
    }
    sink(orderId, report);
  };
}
