import {
  klendError,
  klendRejection,
  type LendingRules,
  NEWEST_LENDING_RULES,
} from '@tidegate/core/protocol/klend';
import { hasCode } from '../../errors/index.ts';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram, type InstructionHandler } from '../framework/anchor-program.ts';
import { withEvents } from '../framework/emit-event.ts';
import { borrowHandlers } from './borrows.ts';
import { obligationCollateralHandlers, reserveCollateralHandlers } from './collateral.ts';
import { combinedOperationHandlers } from './combined-operations.ts';
import { depositHandlers, withdrawHandlers } from './deposits-and-withdrawals.ts';
import { reserveFeeHandlers, reserveRewardsHandlers } from './fees.ts';
import { flashLoanHandlers } from './flash-loans.ts';
import { liquidationHandlers } from './liquidations.ts';
import { lossAndMarginCallHandlers } from './losses-and-margin-calls.ts';
import { orderHandlers } from './orders.ts';
import { refreshObligationHandlers, refreshReserveHandlers } from './refreshes.ts';
import { repayHandlers, rolloverHandlers } from './repayments.ts';
import { reserveConfigHandlers } from './reserve-config.ts';
import { userAccountHandlers } from './user-accounts.ts';
import { withdrawQueueHandlers } from './withdraw-queue.ts';

/**
 * The lending program. Of the instructions of administrators, those that change settings of markets, create reserves or hand
 * over obligations are not modelled, and `updateReserveConfig` only in part.
 */
export function createKlendProgram(rules: LendingRules = NEWEST_LENDING_RULES): Program {
  const handlers = [
    ...userAccountHandlers(rules),
    ...refreshReserveHandlers(rules),
    ...refreshObligationHandlers(rules),
    ...depositHandlers(rules),
    ...withdrawHandlers(rules),
    ...borrowHandlers(rules),
    ...repayHandlers(rules),
    ...obligationCollateralHandlers(rules),
    ...combinedOperationHandlers(rules),
    ...reserveCollateralHandlers(rules),
    ...flashLoanHandlers(rules),
    ...liquidationHandlers(rules),
    ...withdrawQueueHandlers(rules),
    ...orderHandlers(rules),
    ...rolloverHandlers(rules),
    ...lossAndMarginCallHandlers(rules),
    ...reserveFeeHandlers(rules),
    ...reserveRewardsHandlers(rules),
    ...reserveConfigHandlers(rules),
  ];
  return withEvents(
    createAnchorProgram({ handlers: handlers.map(withDeprecationError), errorOf: klendError }),
  );
}

/** Maps a decoding error that this program reports differently than other Anchor programs. */
const withDeprecationError = (handler: InstructionHandler): InstructionHandler => ({
  ...handler,
  run(call) {
    try {
      handler.run(call);
    } catch (error) {
      if (hasCode(error, 'ACCOUNT_UNKNOWN_VERSION')) {
        throw klendRejection('ReserveDeprecated', error.message);
      }
      throw error;
    }
  },
});
