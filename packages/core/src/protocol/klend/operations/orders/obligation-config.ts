import type { Address } from '../../../../base/encoding/address.ts';
import { klendRejection } from '../../errors.ts';
import type { ObligationConfigMode } from '../../instructions/orders.ts';
import type { LendingMarket } from '../../layout/lending-market.ts';
import type { Obligation } from '../../layout/obligation.ts';
import {
  elementAt,
  findBorrowIndex,
  type LendingContext,
  requireNoMarketEmergency,
} from '../position.ts';

type RolloverConfig = Obligation['borrows'][number]['fixedTermBorrowRolloverConfig'];

export type ObligationConfigChange = {
  /** The reserve of the debt. */
  readonly reserve: Address;
  readonly mode: ObligationConfigMode;
  readonly value: bigint;
};

/** The `updateObligationConfig` instruction: how a debt is rolled over. */
export function setObligationConfig(
  obligation: Obligation,
  { market }: Pick<LendingContext, 'market'>,
  { reserve, mode, value }: ObligationConfigChange,
): Obligation {
  requireNoMarketEmergency({ market });
  const index = findBorrowIndex(obligation, reserve);
  const debt = elementAt(obligation.borrows, index);
  const changed = changedConfig(debt.fixedTermBorrowRolloverConfig, mode, value);
  if (!isSwitchedOff(mode, value)) requireConsistent(changed, market);
  const borrows = obligation.borrows.with(index, {
    ...debt,
    fixedTermBorrowRolloverConfig: changed,
  });
  return { ...obligation, borrows };
}

function changedConfig(
  config: RolloverConfig,
  mode: ObligationConfigMode,
  value: bigint,
): RolloverConfig {
  const number = Number(value);
  switch (mode) {
    case 'FixedTermRolloverEnabled':
      return { ...config, autoRolloverEnabled: flag(number) };
    case 'FixedTermRolloverMaxBorrowRateBps':
      return { ...config, maxBorrowRateBps: number };
    case 'FixedTermRolloverMinDebtTermSeconds':
      return { ...config, minDebtTermSeconds: value };
    case 'FixedTermRolloverOpenTermAllowed':
      return { ...config, openTermAllowed: flag(number) };
    case 'MigrationToFixedEnabled':
      return { ...config, migrationToFixedEnabled: flag(number) };
    case 'FixedTermRolloverWindowDurationDays':
      return { ...config, fixedTermRolloverWindowDurationDays: number };
  }
}

function flag(value: number): number {
  if (value > 1) throw klendRejection('InvalidFlag', `${value} is neither 0 nor 1`);
  return value;
}

/** The program does not check the rest then. */
const isSwitchedOff = (mode: ObligationConfigMode, value: bigint): boolean =>
  value === 0n && (mode === 'FixedTermRolloverEnabled' || mode === 'MigrationToFixedEnabled');

/** An enabled rollover needs a maximum rate, a move into a term also its minimum, and a window needs a term. */
function requireConsistent(config: RolloverConfig, market: LendingMarket): void {
  const isMigrated = config.migrationToFixedEnabled !== 0;
  const isRolledOver = config.autoRolloverEnabled !== 0;
  if (!isRolledOver && !isMigrated) return;
  if (market.obligationBorrowRolloverConfigurationEnabled === 0) {
    throw klendRejection('BorrowRolloverConfigurationDisabled', 'the market rolls over no debt');
  }
  if (config.maxBorrowRateBps === 0) throw klendRejection('InvalidConfig', 'set the rate first');
  if (isMigrated && config.minDebtTermSeconds === 0n) {
    throw klendRejection('InvalidConfig', 'set the term first');
  }
  const hasWindow = config.fixedTermRolloverWindowDurationDays !== 0;
  if (isRolledOver && config.minDebtTermSeconds === 0n && hasWindow) {
    throw klendRejection('InvalidConfig', 'a window needs a term');
  }
}
