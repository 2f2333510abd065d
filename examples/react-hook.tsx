import { type Client, type LoanReport, streamUpdates } from '@tidegate/client';
import { useEffect, useState } from 'react';

export type FollowedLoan = {
  readonly loan?: LoanReport;
  /** Slot that the loan is true for. */
  readonly slot?: bigint | undefined;
  /** Why the loan is not known, or not current. */
  readonly problem?: string | undefined;
};

/** Reads a loan, then follows it until the component is removed. */
export function useLoan(client: Client, obligation: string): FollowedLoan {
  const [followed, setFollowed] = useState<FollowedLoan>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: FollowedLoan) => {
      if (!signal.aborted) setFollowed((last) => ({ ...last, problem: undefined, ...next }));
    };
    const follow = async () => {
      const parameters = { path: { pubkey: obligation }, signal };
      const first = await client.get('/klend/loans/{pubkey}', parameters);
      if (first.ok) show({ loan: first.data, slot: first.freshness.slot });
      else show({ problem: first.error.message });
      const afterSlot = first.ok ? first.freshness.slot : undefined;
      const options = { ...parameters, afterSlot };
      for await (const update of streamUpdates(client, '/klend/loans/{pubkey}', options)) {
        if (update.kind === 'update') show({ loan: update.data, slot: update.slot });
        else if (update.kind === 'unavailable') show({ problem: update.message });
        else if (update.kind !== 'unchanged') show({ problem: update.error.message });
      }
    };
    void follow();
    return () => controller.abort();
  }, [client, obligation]);
  return followed;
}

/** Health is the LTV at which a loan is liquidated, divided by its LTV: below 1, it can be liquidated. */
export function LoanHealth({ client, obligation }: { client: Client; obligation: string }) {
  const { loan, slot, problem } = useLoan(client, obligation);
  if (loan === undefined) return <p>{problem ?? 'Loading'}</p>;
  const { currentLtv, liquidationLtv } = loan.loanInfo;
  const health = currentLtv === 0 ? '∞' : (liquidationLtv / currentLtv).toFixed(2);
  return (
    <p>
      Health {health} at slot {String(slot)}
      {problem && ` (not current: ${problem})`}
    </p>
  );
}
