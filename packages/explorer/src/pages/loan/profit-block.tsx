import type { ComponentChildren } from 'preact';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import type { LoanResources } from './loan-resources.ts';

const POLL_MS = 60_000;
const PNL = 'GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl';
const EARNED = 'GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees';
const PAID = 'GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid';

/** What the loan earned, what it cost, and what is left. */
export function ProfitBlock({ address, market }: LoanResources) {
  const path = { marketPubkey: market ?? '', obligationPubkey: address };
  const when = <Request,>(request: Request): Request | undefined =>
    market === undefined ? undefined : request;
  const pnl = useResource(when(apiRequest(PNL, { path })), { pollMs: POLL_MS });
  const earned = useResource(when(apiRequest(EARNED, { path })), { pollMs: POLL_MS });
  const paid = useResource(when(apiRequest(PAID, { path })), { pollMs: POLL_MS });
  return (
    <div class="columns">
      <Block
        title="Interest"
        resources={[earned, paid]}
        skeleton={<Interest earned="…" paid="…" />}
      >
        {({ totalFeesEarnedObligation }, { totalFeesPaidObligation }) => (
          <Interest
            earned={<Usd value={totalFeesEarnedObligation[address]?.usdFees ?? '0'} />}
            paid={<Usd value={totalFeesPaidObligation[address]?.usdFees ?? '0'} />}
          />
        )}
      </Block>
      <Block title="Profit" resources={[pnl]} skeleton={<Profit usd="…" sol="…" invested="…" />}>
        {({ usd, sol, invested }) => (
          <Profit
            usd={<Usd value={usd} />}
            sol={<Amount value={sol} unit="SOL" />}
            invested={<Usd value={invested?.usd} />}
          />
        )}
      </Block>
    </div>
  );
}

type InterestProps = { readonly earned: ComponentChildren; readonly paid: ComponentChildren };

const Interest = ({ earned, paid }: InterestProps) => (
  <Stats>
    <Stat label="Earned" hint="Interest of the deposits, each day at its own prices">
      {earned}
    </Stat>
    <Stat label="Paid" hint="Interest on the debt, each day at its own prices">
      {paid}
    </Stat>
  </Stats>
);

type ProfitProps = {
  readonly usd: ComponentChildren;
  readonly sol: ComponentChildren;
  readonly invested: ComponentChildren;
};

const Profit = ({ usd, sol, invested }: ProfitProps) => (
  <>
    <Stats isWide>
      <Stat label="In dollars">{usd}</Stat>
      <Stat label="In SOL">{sol}</Stat>
      <Stat label="Paid in, net">{invested}</Stat>
    </Stats>
    <p class="block-body weak small">
      Profit is the net value less what the owner paid in: deposits and repayments less withdrawals
      and borrows, each at the prices of its time, since the loan was last empty.
    </p>
  </>
);
