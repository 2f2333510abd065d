import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Percent, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { listNames } from '../../format/list-names.ts';
import { type LoanEarnings, loanEarnings } from '../../loans/loan-earnings.ts';
import { reserveOfToken } from './loan-actions.ts';
import type { LoanResources } from './loan-resources.ts';

const HEIGHT = 140;
const NO_NET_VALUE = 'the deposits are worth no more than the debts';

/** What the loan earns and costs at the rates of now. */
export const EarningsBlock = ({ loan, rates, reserves }: LoanResources) => (
  <Block
    title="Net APY"
    resources={[loan, ...rates.resources]}
    skeleton={<Skeleton height={HEIGHT} />}
  >
    {({ loanInfo }) => {
      const position = (each: { tokenName: string; tokenValue: string; tokenMint: string }) => ({
        symbol: each.tokenName,
        value: each.tokenValue,
        reserve: reserveOfToken(each.tokenMint, reserves)?.reserve,
      });
      const { collateral, debt } = loanInfo;
      const earnings = loanEarnings(
        { deposits: collateral.deposits.map(position), borrows: debt.borrows.map(position) },
        rates.of,
      );
      return earnings === undefined ? (
        <Empty title="Not known">The rate of a reserve of this loan cannot be read.</Empty>
      ) : (
        <Earnings {...earnings} />
      );
    }}
  </Block>
);

const Earnings = (earnings: LoanEarnings) => (
  <>
    <Stats>
      <Stat
        label="Without rewards"
        hint="Interest and staking yield of the deposits less those of the debts, in a year at the rates of now, divided by the net value"
        note={
          <>
            <Usd value={earnings.withoutRewards} /> a year
          </>
        }
      >
        <Percent value={earnings.apy} reason={NO_NET_VALUE} />
      </Stat>
      <Stat
        label="With rewards"
        hint="The same with rewards of farms, reserves and seasons, as far as they are known"
        note={
          <>
            <Usd value={earnings.withRewards} /> a year
          </>
        }
      >
        <Percent value={earnings.apyWithRewards} reason={NO_NET_VALUE} />
      </Stat>
      <Stat label="Interest earned" hint="Of all deposits, at the rates of now" note="a year">
        <Usd value={earnings.interestEarned} />
      </Stat>
      <Stat label="Interest paid" hint="On all debts, at the rates of now" note="a year">
        <Usd value={earnings.interestPaid} />
      </Stat>
      <Stat
        label="Staking yield"
        hint="What staked tokens earn by themselves: of deposits, less of debts"
        note="a year"
      >
        <Usd value={earnings.staking} />
      </Stat>
      <Stat
        label="Rewards"
        hint="At the rates of now, if the loan is entitled to them"
        note="a year"
      >
        <Usd value={earnings.rewards} />
      </Stat>
    </Stats>
    {earnings.missing.length > 0 && (
      <p class="block-body weak small">Not included: {listNames(earnings.missing)}.</p>
    )}
  </>
);
