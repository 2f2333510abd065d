import type { LoanReport } from '@tidegate/client';
import { Block } from '../../components/block.tsx';
import { HealthGauge } from '../../components/gauge/health-gauge.tsx';
import { Icon } from '../../components/icon.tsx';
import { Amount, Percent, Price, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { formatPercent } from '../../format/number.ts';
import { type LoanHealth, liquidationPrices, loanHealth } from './loan-health.ts';
import type { LoanResources } from './loan-resources.ts';
import './loan.css';

const HEIGHT = 216;

/** Is it safe, and what would change that. */
export const HealthBlock = ({ loan }: LoanResources) => (
  <Block title="Health" resources={[loan]} skeleton={<Skeleton height={HEIGHT} />}>
    {({ loanInfo, leverage }) => {
      const health = loanHealth(loanInfo);
      return (
        <>
          <HealthStats health={health} leverage={leverage} />
          <div class="loan-body">
            <HealthGauge
              ltv={health.ltv}
              liquidationLtv={health.liquidationLtv}
              maxLtv={String(loanInfo.maxLtv)}
            />
            <Verdict loan={loanInfo} health={health} />
            <p class="weak small">
              Health is the liquidation LTV divided by the LTV. At 1 the loan can be liquidated.
            </p>
          </div>
        </>
      );
    }}
  </Block>
);

type StatsProps = { readonly health: LoanHealth; readonly leverage: number };

const HealthStats = ({ health, leverage }: StatsProps) => (
  <Stats>
    <Stat
      label="Health"
      hint="Liquidation LTV divided by LTV; at 1 or less the loan can be liquidated"
    >
      <Amount value={health.health} reason="a loan without debt cannot be liquidated" />
    </Stat>
    <Stat label="LTV" hint="Debt with borrow factors, divided by deposits">
      <Percent value={health.ltv} reason="there are no deposits" />
    </Stat>
    <Stat label="Net value" hint="Deposits less debt">
      <Usd value={health.netValue} />
    </Stat>
    <Stat label="Deposits">
      <Usd value={health.deposits} />
    </Stat>
    <Stat label="Debt">
      <Usd value={health.debts} />
    </Stat>
    <Stat label="Leverage" hint="Deposits divided by net value">
      <Amount value={leverage} />
    </Stat>
  </Stats>
);

type VerdictProps = { readonly loan: LoanReport['loanInfo']; readonly health: LoanHealth };

/** One sentence per price that decides about the loan. */
function Verdict({ loan, health }: VerdictProps) {
  const prices = liquidationPrices(loan);
  if (health.health === undefined) {
    return <p class="weak">This loan has no debt, so it cannot be liquidated.</p>;
  }
  if (health.isLiquidatable) {
    return (
      <p class="loan-danger">
        <Icon name="warning" /> This loan can be liquidated now, up to{' '}
        {formatPercent(loan.closeFactor).short} of its debt at once.
      </p>
    );
  }
  if (prices.length === 0) {
    return <p class="weak">No price of a single token can bring this loan to liquidation.</p>;
  }
  return (
    <ul class="loan-prices">
      {prices.map(({ mint, symbol, price, change }) => (
        <li key={mint}>
          If {symbol} {change.startsWith('-') ? 'falls' : 'rises'} to <Price value={price} /> (
          <SignedPercent value={change} />) this loan can be liquidated
        </li>
      ))}
    </ul>
  );
}

/** A change with its sign: `+12.00 %`. */
const SignedPercent = ({ value }: { readonly value: string }) => (
  <>
    {!value.startsWith('-') && '+'}
    <Percent value={value} />
  </>
);
