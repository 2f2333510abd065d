import type { LoanReport } from '@tidegate/client';
import { Block } from '../../components/block.tsx';
import { HealthGauge } from '../../components/gauge/health-gauge.tsx';
import { Icon } from '../../components/icon.tsx';
import { Amount, Percent, Price, Ratio, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { listNames } from '../../format/list-names.ts';
import { formatPercent } from '../../format/number.ts';
import { type LinkedTokens, linkTokens } from '../../loans/linked-prices.ts';
import { type LiquidationFigure, liquidationFigures } from '../../loans/liquidation-figures.ts';
import { type LoanHealth, loanHealth } from '../../loans/loan-health.ts';
import type { LoanResources } from './loan-resources.ts';
import './loan.css';

const HEIGHT = 216;

/** Is it safe, and what would change that. */
export const HealthBlock = ({ loan, priceGroups }: LoanResources) => (
  <Block title="Health" resources={[loan, priceGroups]} skeleton={<Skeleton height={HEIGHT} />}>
    {(report, groups) => {
      const { loanInfo, leverage } = report;
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
            <Verdict loan={loanInfo} health={health} linked={linkTokens(report, groups)} />
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

type VerdictProps = {
  readonly loan: LoanReport['loanInfo'];
  readonly health: LoanHealth;
  readonly linked: readonly LinkedTokens[];
};

/** One sentence per price or ratio that decides about the loan. */
function Verdict({ loan, health, linked }: VerdictProps) {
  const figures = liquidationFigures(loan, linked);
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
  if (figures.length === 0) {
    return <p class="weak">No price of a single token can bring this loan to liquidation.</p>;
  }
  return (
    <>
      <ul class="loan-prices">
        {figures.map((figure) => (
          <Decisive key={figure.mint} {...figure} />
        ))}
      </ul>
      <Links linked={linked} />
    </>
  );
}

function Decisive({ symbol, against, now, price, change, along }: LiquidationFigure) {
  const verb = change.startsWith('-') ? 'falls' : 'rises';
  if (against === undefined) {
    return (
      <li>
        If {symbol} {verb} to <Price value={price} /> (<SignedPercent value={change} />)
        {along.length > 0 && `, and ${listNames(along)} with it,`} this loan can be liquidated
      </li>
    );
  }
  return (
    <li>
      If {symbol} {verb} to <Ratio value={price} unit={against.symbol} /> (
      <SignedPercent value={change} />) this loan can be liquidated; now it is{' '}
      <Ratio value={now} unit={against.symbol} />
    </li>
  );
}

/** Why some prices move together. */
const Links = ({ linked }: { readonly linked: readonly LinkedTokens[] }) => (
  <>
    {linked
      .filter(({ tokens }) => tokens.length > 1)
      .map(({ tokens, basis }) => {
        const names = listNames(tokens.map(({ symbol }) => symbol));
        const rest =
          linked.length > 1 ? '.' : ': their price in dollars does not decide about this loan.';
        return (
          <p key={names} class="weak small">
            {basis === 'price-chain'
              ? `The prices of ${names} have one source and move together${rest}`
              : `${names} are in one elevation group, whose prices should move together${rest}`}
          </p>
        );
      })}
  </>
);

/** A change with its sign: `+12.00 %`. */
const SignedPercent = ({ value }: { readonly value: string }) => (
  <>
    {!value.startsWith('-') && '+'}
    <Percent value={value} />
  </>
);
