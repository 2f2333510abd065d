import { klendRejection } from '../../protocol/klend/errors.ts';
import type { BuildContext } from '../build.ts';
import { liquidationBuilder } from '../liquidation/liquidation-builder.ts';
import type { LiquidationRequest } from '../liquidation/liquidation-request.ts';
import type { LiquidationTarget } from '../liquidation/liquidation-target.ts';
import { type LiquidationPlan, planLiquidation } from '../liquidation/plan-liquidation.ts';
import { isWrappedSol, readWalletToken } from '../wallet/token-accounts.ts';
import { refreshPosition } from './lending-model.ts';
import type { LoanAddresses } from './loan-reports.ts';
import { missingTokenAccount, requireTokenBalance } from './program-rejections.ts';
import { runSimulation } from './run-simulation.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import type { TokenDelta } from './wallet-changes.ts';

/** Simulates a liquidation at the state's slot. The loan of the outcome is the liquidated one. */
export function simulateLiquidation(
  request: LiquidationRequest,
  context: BuildContext,
): SimulationOutcome {
  const build = liquidationBuilder.build(request, context);
  const plan = planLiquidation(request, context);
  const { target, model, result, wrapped } = plan;
  const overflow = klendRejection('MathOverflow', 'a number overflows');
  const { mint, decimals } = target.repay.token;
  const subject = {
    token: { mint, decimals },
    accounts: { klend: target.repay.reserve.address },
  };
  const outcome = runSimulation({ build, context, wrapped, overflow, subject }, () => {
    requireRepayment(plan, context);
    return movesOf(plan);
  });
  const before = model.before.obligation;
  if (outcome.failure !== undefined) {
    return { ...outcome, loan: { before, after: undefined, reservesAfter: new Map() } };
  }
  const { obligation, reserves } = refreshPosition(result, model.context);
  return { ...outcome, loan: { before, after: obligation, reservesAfter: reserves } };
}

export const liquidatedLoanAddresses = ({
  market,
  loan,
}: Pick<LiquidationRequest, 'market' | 'loan'>): LoanAddresses => ({ market, obligation: loan });

function requireRepayment(
  { target, result, wrapped }: LiquidationPlan,
  context: BuildContext,
): void {
  const { token } = target.repay;
  const held = readWalletToken(token, context);
  if (held === undefined && !isCreated(target)) {
    throw missingTokenAccount('klend', token, result.repaid);
  }
  requireTokenBalance({ balance: (held?.amount ?? 0n) + wrapped, required: result.repaid }, token);
}

/** The build creates the account of wrapped SOL, and that of the received token. */
const isCreated = ({ repay, withdraw }: LiquidationTarget): boolean =>
  isWrappedSol(repay.token) || repay.token.mint === withdraw.token.mint;

/** One change per token: a loan can owe the token that it deposits. */
function movesOf({
  target,
  result,
  received,
  leftCollateral,
  wrapped,
}: LiquidationPlan): TokenDelta[] {
  const { repay, withdraw, collateral } = target;
  const paid = wrapped - result.repaid;
  const rest = { token: collateral, added: leftCollateral };
  if (repay.token.mint === withdraw.token.mint) {
    return [{ token: repay.token, added: paid + received }, rest];
  }
  return [{ token: repay.token, added: paid }, { token: withdraw.token, added: received }, rest];
}
