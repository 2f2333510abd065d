import type { LoanReport } from '@tidegate/client';
import { multiplyDecimals } from '@tidegate/client';
import { useState } from 'preact/hooks';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { HealthGauge } from '../../components/gauge/health-gauge.tsx';
import { Icon } from '../../components/icon.tsx';
import { Amount, Percent, Price, Unknown, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { divide, sum } from '../../format/decimal.ts';
import { choice, query, setQuery } from '../../routing/location.ts';
import { type LoanToken, loanHealth, type PriceFactor, tokensOf } from './loan-health.ts';
import type { LoanResources } from './loan-resources.ts';

const HEIGHT = 216;
const ALL = 'all';
const LOWEST = -90;
const HIGHEST = 100;

/** What other prices would do to the loan. */
export const StressBlock = ({ loan }: LoanResources) => (
  <Block title="What if prices change" resources={[loan]} skeleton={<Skeleton height={HEIGHT} />}>
    {({ loanInfo }) =>
      tokensOf(loanInfo).length === 0 ? (
        <Empty title="Nothing to change">This loan has no deposits and no debt.</Empty>
      ) : (
        <Stress loan={loanInfo} />
      )
    }
  </Block>
);

function Stress({ loan }: { readonly loan: LoanReport['loanInfo'] }) {
  const tokens = tokensOf(loan);
  const token = choice('stress.token', [ALL, ...tokens.map(({ mint }) => mint)]);
  const { percent, setPercent, save } = useChange();
  const chosen = tokens.find(({ mint }) => mint === token.value);
  const factor = sum(['1', divide(String(percent), '100') ?? '0']);
  return (
    <>
      <div class="loan-body">
        <Tabs
          label="Price that changes"
          tabs={[
            { value: ALL, title: 'All collateral' },
            ...tokens.map(({ mint, symbol }) => ({ value: mint, title: symbol })),
          ]}
          value={token.value}
          onChange={token.set}
        />
        <div class="stress-controls">
          <input
            type="range"
            min={LOWEST}
            max={HIGHEST}
            step={1}
            value={percent}
            aria-label={`Change of the price of ${chosen?.symbol ?? 'all collateral'} in percent`}
            aria-valuetext={changeText(percent)}
            onInput={({ currentTarget }) => setPercent(Number(currentTarget.value))}
            onChange={({ currentTarget }) => save(Number(currentTarget.value))}
          />
          <output>{changeText(percent)}</output>
        </div>
      </div>
      <Outcome
        loan={loan}
        factorOf={factorFor(tokens, chosen, factor)}
        chosen={chosen}
        factor={factor}
      />
    </>
  );
}

const changeText = (percent: number): string =>
  `${percent < 0 ? '−' : percent > 0 ? '+' : ''}${Math.abs(percent)} %`;

/** The change in percent. The URL is written when the slider is released. */
function useChange() {
  const stored = Number(query.value.get('stress.change') ?? 0);
  const isValid = Number.isInteger(stored) && stored >= LOWEST && stored <= HIGHEST;
  const [percent, setPercent] = useState(isValid ? stored : 0);
  const save = (value: number): void =>
    setQuery({ 'stress.change': value === 0 ? undefined : String(value) });
  return { percent, setPercent, save };
}

function factorFor(
  tokens: readonly LoanToken[],
  chosen: LoanToken | undefined,
  factor: string,
): PriceFactor {
  const changed = new Set(
    tokens
      .filter(({ mint, isDeposit }) => (chosen === undefined ? isDeposit : mint === chosen.mint))
      .map(({ mint }) => mint),
  );
  return (mint) => (changed.has(mint) ? factor : '1');
}

type OutcomeProps = {
  readonly loan: LoanReport['loanInfo'];
  readonly factorOf: PriceFactor;
  readonly chosen: LoanToken | undefined;
  readonly factor: string;
};

function Outcome({ loan, factorOf, chosen, factor }: OutcomeProps) {
  const health = loanHealth(loan, factorOf);
  return (
    <>
      <Stats>
        <Stat label="Health then">
          <Amount value={health.health} reason="a loan without debt cannot be liquidated" />
        </Stat>
        <Stat label="LTV then">
          <Percent value={health.ltv} reason="the deposits are worth nothing" />
        </Stat>
        <Stat label="Net value then">
          <Usd value={health.netValue} />
        </Stat>
        <Stat label={chosen === undefined ? 'Price then' : `Price of ${chosen.symbol} then`}>
          {chosen === undefined ? (
            <Unknown reason="several prices change" />
          ) : (
            <Price value={multiplyDecimals(chosen.price, factor)} />
          )}
        </Stat>
      </Stats>
      <div class="loan-body">
        <HealthGauge ltv={health.ltv} liquidationLtv={health.liquidationLtv} />
        <p role="status" class={health.isLiquidatable ? 'loan-danger' : 'loan-positive'}>
          <StressVerdict health={health.health} isLiquidatable={health.isLiquidatable} />
        </p>
      </div>
    </>
  );
}

type StressVerdictProps = {
  readonly health: string | undefined;
  readonly isLiquidatable: boolean;
};

const StressVerdict = ({ health, isLiquidatable }: StressVerdictProps) =>
  isLiquidatable ? (
    <>
      <Icon name="warning" /> At these prices this loan can be liquidated.
    </>
  ) : health === undefined ? (
    <>Without debt no price can bring this loan to liquidation.</>
  ) : (
    <>At these prices this loan is safe.</>
  );
