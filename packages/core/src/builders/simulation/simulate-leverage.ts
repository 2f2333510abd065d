import { U64_MAX } from '../../base/numbers/lamports.ts';
import { klendRejection } from '../../protocol/klend/errors.ts';
import { borrow } from '../../protocol/klend/operations/borrow.ts';
import { flashRepay } from '../../protocol/klend/operations/flash-loan.ts';
import {
  type ObligationPosition,
  reserveOf,
  withReserve,
} from '../../protocol/klend/operations/position.ts';
import { withdraw } from '../../protocol/klend/operations/withdraw.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { BuildContext, Builder } from '../build.ts';
import { createLendingActionContext } from '../lending/lending-action-context.ts';
import {
  deleverageBuilder,
  deleverageWithdrawal,
  multiplyBuilder,
} from '../leverage/leverage-builders.ts';
import type { DeleverageRequest, MultiplyRequest } from '../leverage/leverage-request.ts';
import {
  type LeveragePlan,
  type LeverageRequest,
  planLeverage,
} from '../leverage/plan-leverage.ts';
import { isWrappedSol, readWalletToken } from '../wallet/token-accounts.ts';
import { refreshPosition } from './lending-model.ts';
import type { LoanAddresses } from './loan-reports.ts';
import { requireTokenBalance } from './program-rejections.ts';
import { runSimulation } from './run-simulation.ts';
import type { LoanOutcome, SimulationOutcome } from './simulation-outcome.ts';

/**
 * Simulates a multiply transaction at the state's slot. Only the cluster can execute the swap: here it returns exactly what
 * the flash loan costs, which does not change the loan.
 */
export const simulateMultiply = (
  request: MultiplyRequest,
  context: BuildContext,
): SimulationOutcome =>
  simulate(multiplyBuilder, request, { context, second: (plan) => runBorrow(plan, request) });

/** Simulates a deleverage transaction as `simulateMultiply` does. The swap takes all withdrawn collateral. */
export const simulateDeleverage = (
  request: DeleverageRequest,
  context: BuildContext,
): SimulationOutcome =>
  simulate(deleverageBuilder, request, { context, second: (plan) => runWithdraw(plan, request) });

export function leveragedLoanAddresses(
  { wallet, market, obligation, collateralReserve: reserve }: LeverageRequest,
  state: ClusterReader,
): LoanAddresses {
  const request = { wallet, market, obligation, reserve, amount: 1n };
  const loan = createLendingActionContext('deposit', request, state).obligation;
  return { market, obligation: loan };
}

type SecondResult = ObligationPosition & {
  readonly closes: boolean;
};

type LeverageRun = {
  readonly context: BuildContext;
  readonly second: (plan: LeveragePlan) => SecondResult;
};

function simulate<Request extends LeverageRequest>(
  builder: Builder<Request>,
  request: Request,
  { context, second }: LeverageRun,
): SimulationOutcome {
  const build = builder.build(request, context);
  const plan = planLeverage(request, context);
  const { first, model, own } = plan;
  const { token, decimals, reserve } = first;
  const wrapped = isWrappedSol(token) ? own : 0n;
  const overflow = klendRejection('MathOverflow', 'a number overflows');
  const subject = { token: { mint: token.mint, decimals }, accounts: { klend: reserve.address } };
  const before = first.loan === undefined ? undefined : model.before.obligation;
  let loan: LoanOutcome = { before, after: undefined, reservesAfter: new Map() };
  const outcome = runSimulation({ build, context, wrapped, overflow, subject }, () => {
    const held = readWalletToken(token, context)?.amount ?? 0n;
    requireTokenBalance({ balance: held + wrapped, required: own }, token);
    const { closes, ...after } = second(plan);
    const { obligation, reserves } = refreshPosition(repayFlashLoan(plan, after), model.context);
    loan = { before, after: closes ? undefined : obligation, reservesAfter: reserves };
    const other = { ...plan.second.token, decimals: plan.second.decimals };
    return [
      { token: { ...token, decimals }, added: wrapped - own },
      { token: other, added: 0n },
    ];
  });
  const refund = loan.after === undefined && outcome.failure === undefined ? refundOf(plan) : 0n;
  return { ...outcome, lamports: outcome.lamports + refund, loan };
}

/** A loan that is empty is closed. */
const refundOf = ({ first }: LeveragePlan): bigint => first.loan?.account.lamports ?? 0n;

function runBorrow(
  { between, model, second }: LeveragePlan,
  request: MultiplyRequest,
): SecondResult {
  const reserve = second.reserve.address;
  return { ...borrow(between, model.context, { reserve, amount: request.borrow }), closes: false };
}

function runWithdraw(plan: LeveragePlan, request: DeleverageRequest): SecondResult {
  const { between, model, second } = plan;
  const { collateral } = deleverageWithdrawal(plan, request);
  const isAll = request.withdraw === 'all';
  return withdraw(between, model.context, {
    reserve: second.reserve.address,
    collateral: isAll ? U64_MAX : collateral,
    limit: 'max ltv',
  });
}

function repayFlashLoan(
  { first, flashLoan, model }: LeveragePlan,
  { obligation, reserves }: ObligationPosition,
): ObligationPosition {
  const { address } = first.reserve;
  const repaid = flashRepay(reserveOf(reserves, address), model.context, {
    amount: flashLoan,
    hasReferrer: false,
  });
  return { obligation, reserves: withReserve(reserves, address, repaid.reserve) };
}
