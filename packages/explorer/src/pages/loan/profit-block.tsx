import type { ComponentChildren } from 'preact';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { profitBesidesInterest } from '../../loans/profit-parts.ts';
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
  const allTime = useResource(
    when(apiRequest(PNL, { path, query: { positionMode: 'obligation_all_time' } })),
    { pollMs: POLL_MS },
  );
  // the same figure in both blocks if it is the same profit
  const whole = pnl.data?.invested?.usd === allTime.data?.invested?.usd ? pnl : allTime;
  return (
    <div class="columns">
      <Block
        title="What the profit is made of"
        resources={[earned, paid, whole]}
        skeleton={<Parts earned="…" paid="…" rest="…" profit="…" />}
      >
        {({ totalFeesEarnedObligation }, { totalFeesPaidObligation }, { usd }) => {
          const interest = {
            earned: totalFeesEarnedObligation[address]?.usdFees ?? '0',
            paid: totalFeesPaidObligation[address]?.usdFees ?? '0',
          };
          return (
            <Parts
              earned={<Usd value={interest.earned} />}
              paid={<Usd value={interest.paid} />}
              rest={<Usd value={profitBesidesInterest(usd, interest)} />}
              profit={<Usd value={usd} />}
            />
          );
        }}
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

type PartsProps = {
  readonly earned: ComponentChildren;
  readonly paid: ComponentChildren;
  readonly rest: ComponentChildren;
  readonly profit: ComponentChildren;
};

const Parts = ({ earned, paid, rest, profit }: PartsProps) => (
  <>
    <Stats isWide>
      <Stat label="Interest earned" hint="Of the deposits, each day at its own prices">
        {earned}
      </Stat>
      <Stat label="Interest paid" hint="On the debts, each day at its own prices">
        {paid}
      </Stat>
      <Stat
        label="Prices and fees"
        hint="What the prices of the tokens did to deposits and debts, fees of borrows, and losses to liquidations"
      >
        {rest}
      </Stat>
      <Stat label="Together" hint="The profit since the first deposit">
        {profit}
      </Stat>
    </Stats>
    <p class="block-body weak small">
      Interest earned less interest paid, with prices and fees, is the profit since the first
      deposit, also if the loan was empty in between.
    </p>
  </>
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
