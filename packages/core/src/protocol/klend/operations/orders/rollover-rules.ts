import { toUnixSeconds, type UnixSeconds } from '../../../../base/time.ts';
import { klendRejection } from '../../errors.ts';
import type { Reserve } from '../../layout/reserve.ts';
import type { LendingContext, ObligationBorrow } from '../position.ts';
import { maxRateBps } from './borrow-orders.ts';

const SECONDS_PER_DAY = 86_400n;

type Reserves = { readonly source: Reserve; readonly target: Reserve };

/** When the term of a debt ends; undefined without a term, or if its start is not recorded. */
export function termEnd(
  debt: ObligationBorrow,
  config: Reserve['config'],
): UnixSeconds | undefined {
  const { lastBorrowedAtTimestamp: start } = debt;
  if (config.debtTermSeconds === 0n || start === 0n) return undefined;
  return toUnixSeconds(start + config.debtTermSeconds);
}

/** Throws unless the owner accepts the new reserve and the market allows the move now. */
export function requireRolloverAllowed(
  debt: ObligationBorrow,
  context: LendingContext,
  { source, target }: Reserves,
): void {
  if (source.config.borrowFactorPct !== target.config.borrowFactorPct) {
    throw mismatch('the new reserve has another borrow factor');
  }
  const { market } = context;
  if (source.config.debtTermSeconds === 0n) {
    requireMigration(debt, target);
    if (market.obligationBorrowMigrationToFixedExecutionEnabled === 0) throw disabled();
    return;
  }
  const config = debt.fixedTermBorrowRolloverConfig;
  if (config.autoRolloverEnabled === 0) throw notEnabled();
  if (target.config.debtTermSeconds === 0n) {
    if (config.openTermAllowed === 0) throw mismatch('the owner wants a term');
    requireWindow(debt, context, { source, window: market.openTermRolloverWindowDurationSeconds });
    return;
  }
  requireAcceptedTerms(debt, target);
  const own = BigInt(config.fixedTermRolloverWindowDurationDays) * SECONDS_PER_DAY;
  const common = market.fixedTermRolloverWindowDurationSeconds;
  const window = common === 0n || own === 0n ? common : own;
  requireWindow(debt, context, { source, window });
}

function requireMigration(debt: ObligationBorrow, target: Reserve): void {
  if (debt.fixedTermBorrowRolloverConfig.migrationToFixedEnabled === 0) throw notEnabled();
  if (target.config.debtTermSeconds === 0n) throw mismatch('the new reserve has no term');
  requireAcceptedTerms(debt, target);
}

function requireAcceptedTerms(debt: ObligationBorrow, { config }: Reserve): void {
  const { maxBorrowRateBps, minDebtTermSeconds } = debt.fixedTermBorrowRolloverConfig;
  if (maxRateBps(config) > maxBorrowRateBps) {
    throw mismatch(`the new reserve can charge ${maxRateBps(config)} bps`);
  }
  if (minDebtTermSeconds === 0n) throw mismatch('the owner wants no term');
  if (config.debtTermSeconds < minDebtTermSeconds) throw mismatch('the new term is too short');
}

/** A debt with a term is rolled over in the last part of it. A window of 0 disables that. */
function requireWindow(
  debt: ObligationBorrow,
  { time }: LendingContext,
  { source, window }: { readonly source: Reserve; readonly window: bigint },
): void {
  if (window === 0n) throw disabled();
  const end = termEnd(debt, source.config);
  if (end === undefined) {
    throw klendRejection('ObligationBorrowRolloverNotApplicable', 'the debt has no end');
  }
  if (end > time.unix && end - time.unix > window) {
    const reason = `the debt ends in ${end - time.unix} seconds`;
    throw klendRejection('ObligationBorrowOutsideRolloverWindow', reason);
  }
}

const mismatch = (reason: string) =>
  klendRejection('ObligationBorrowRolloverTargetReserveMismatch', reason);

const notEnabled = () =>
  klendRejection('ObligationBorrowRolloverNotEnabledByOwner', 'the owner does not want it');

const disabled = () =>
  klendRejection('BorrowRolloverExecutionDisabled', 'the market does not roll over debt');
