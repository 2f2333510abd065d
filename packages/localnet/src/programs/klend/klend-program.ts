import { hasCode } from '@tidegate/core/base';
import {
  CURRENT_RULES,
  klendError,
  klendRefuses,
  type LendingRules,
} from '@tidegate/core/protocol/klend';
import type { Program } from '../../runtime/program.ts';
import { anchorProgram, type Handler } from '../framework/anchor-program.ts';
import { borrowHandlers } from './borrows.ts';
import { combinedHandlers } from './combined-operations.ts';
import { depositHandlers } from './deposits.ts';
import { flashLoanHandlers } from './flash-loans.ts';
import { liquidationHandlers } from './liquidations.ts';
import { collateralHandlers } from './obligation-collateral.ts';
import { refreshObligationHandlers } from './refresh-obligations.ts';
import { refreshReserveHandlers } from './refresh-reserves.ts';
import { repayHandlers } from './repayments.ts';
import { reserveCollateralHandlers } from './reserve-collateral.ts';
import { reserveSettingHandlers } from './reserve-config.ts';
import { userAccountHandlers } from './user-accounts.ts';
import { withdrawHandlers } from './withdrawals.ts';

/** The lending program, without its withdraw queue and, but for one, the instructions of its admins. */
export function klendProgram(rules: LendingRules = CURRENT_RULES): Program {
  const handlers = [
    ...userAccountHandlers(rules),
    ...refreshReserveHandlers(rules),
    ...refreshObligationHandlers(rules),
    ...depositHandlers(rules),
    ...withdrawHandlers(rules),
    ...borrowHandlers(rules),
    ...repayHandlers(rules),
    ...collateralHandlers(rules),
    ...combinedHandlers(rules),
    ...reserveCollateralHandlers(rules),
    ...flashLoanHandlers(rules),
    ...liquidationHandlers(rules),
    ...reserveSettingHandlers(),
  ];
  return anchorProgram({ handlers: handlers.map(inOwnWords), errorOf: klendError });
}

/** What reading an account says otherwise in this program than in those of its framework at large. */
const inOwnWords = (handler: Handler): Handler => ({
  ...handler,
  run(call) {
    try {
      handler.run(call);
    } catch (error) {
      if (hasCode(error, 'ACCOUNT_UNKNOWN_VERSION')) {
        throw klendRefuses('ReserveDeprecated', error.message);
      }
      throw error;
    }
  },
});
