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
import { linkTokens } from '../../loans/linked-prices.ts';
import { loanHealth, type PriceFactor } from '../../loans/loan-health.ts';
import { type StressOption, stressOptions } from '../../loans/stress-options.ts';
import { choice, query, setQuery } from '../../routing/location.ts';
import type { LoanResources } from './loan-resources.ts';

const HEIGHT = 216;
const LOWEST = -90;
const HIGHEST = 100;

/** What other prices would do to the loan. */
export const StressBlock = ({ loan, priceGroups }: LoanResources) => (
  <Block
    title="What if prices change"
    resources={[loan, priceGroups]}
    skeleton={<Skeleton height={HEIGHT} />}
  >
    {(report, groups) => {
      const [first, ...others] = stressOptions(linkTokens(report, groups));
      return first === undefined ? (
        <Empty title="Nothing to change">This loan has no deposits and no debt.</Empty>
      ) : (
        <Stress loan={report.loanInfo} options={[first, ...others]} />
      );
    }}
  </Block>
);

type StressProps = {
  readonly loan: LoanReport['loanInfo'];
  readonly options: readonly [StressOption, ...StressOption[]];
};

function Stress({ loan, options }: StressProps) {
  const option = choice(
    'stress.token',
    options.map(({ key }) => key),
  );
  const { percent, setPercent, save } = useChange();
  const chosen = options.find(({ key }) => key === option.value) ?? options[0];
  const factor = sum(['1', divide(String(percent), '100') ?? '0']);
  const changed = new Set(chosen.tokens.map(({ mint }) => mint));
  const all = new Set(options.flatMap(({ tokens }) => tokens.map(({ mint }) => mint)));
  return (
    <>
      <div class="loan-body">
        <Tabs
          label="Price that changes"
          tabs={options.map(({ key, title }) => ({ value: key, title }))}
          value={option.value}
          onChange={option.set}
        />
        <div class="stress-controls">
          <input
            type="range"
            min={LOWEST}
            max={HIGHEST}
            step={1}
            value={percent}
            aria-label={`Change of ${chosen.what} in percent`}
            aria-valuetext={changeText(percent)}
            onInput={({ currentTarget }) => setPercent(Number(currentTarget.value))}
            onChange={({ currentTarget }) => save(Number(currentTarget.value))}
          />
          <output>{changeText(percent)}</output>
        </div>
        <p class="weak small">
          A change of {chosen.what}
          {changed.size < all.size && '; all other prices stay'}.
        </p>
      </div>
      <Outcome
        loan={loan}
        factorOf={(mint) => (changed.has(mint) ? factor : '1')}
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

type OutcomeProps = {
  readonly loan: LoanReport['loanInfo'];
  readonly factorOf: PriceFactor;
  readonly chosen: StressOption;
  readonly factor: string;
};

function Outcome({ loan, factorOf, chosen, factor }: OutcomeProps) {
  const health = loanHealth(loan, factorOf);
  const [token, ...others] = chosen.tokens;
  const single = others.length === 0 ? token : undefined;
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
        <Stat label={single === undefined ? 'Price then' : `Price of ${single.symbol} then`}>
          {single === undefined ? (
            <Unknown reason="several prices change" />
          ) : (
            <Price value={multiplyDecimals(single.price, factor)} />
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
    <>At these prices this loan cannot be liquidated.</>
  );
