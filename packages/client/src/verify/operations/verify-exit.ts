import { possibleLoans } from '../bytes/derived-addresses.ts';
import type { ChainData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { ClaimRequest, LoanExitRequest, VaultExitRequest } from '../verifiable-request.ts';
import { parseUnits, SOL_DECIMALS } from './amounts.ts';
import { calledPrograms } from './called-programs.ts';
import { splitExit } from './exit-parts.ts';
import type { Findings } from './findings.ts';
import { checkFewestShares } from './least-redemption.ts';
import { ACTIONS, createLendingContext } from './lending-context.ts';
import { checkLoanToValue } from './loan-to-value.ts';
import { createVaultContext } from './vault-context.ts';
import { verifyClaim } from './verify-claim.ts';
import { verifyLending } from './verify-lending.ts';
import { verifyVaultWithdraw } from './verify-vault.ts';

type ExitInput<Request> = {
  readonly request: Request;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

/** Every part repays a whole debt or withdraws a whole deposit of the loan, or claims its rewards. */
export function verifyLoanExit(calls: readonly Call[], input: ExitInput<LoanExitRequest>): void {
  const { request, chainData, findings } = input;
  const { wallet, market, loan, referrer, maxAmount, maxLtv } = request;
  const { actions, claims } = splitExit(calls, [ACTIONS.repay.key, ACTIONS.withdraw.key]);
  const { deposits = [], borrows = [] } = chainData.loan ?? {};
  const closed = new Set<string>();
  const changes = { withdrawn: new Map<string, 'all'>(), repaid: new Map<string, 'all'>() };
  for (const { main, calls: part } of actions) {
    const action = main.key === ACTIONS.repay.key ? 'repay' : 'withdraw';
    const reserve = main.accounts[`${action}Reserve`] ?? '';
    const context = createLendingContext({
      request: { wallet, market, reserve, loan, referrer },
      ...{ action, amount: 'all', decimals: undefined, main, chainData, findings },
    });
    const maxWrapped = maxAmount === undefined ? undefined : parseUnits(maxAmount, SOL_DECIMALS);
    // earlier parts, and earlier transactions, have closed some
    const changedReserves = [...deposits, ...borrows];
    verifyLending(part, { ...context, changedReserves }, maxWrapped);
    if (chainData.loan && !(action === 'repay' ? borrows : deposits).includes(reserve)) {
      findings.add('WRONG_RESERVE', `The loan has nothing to ${action} in ${reserve}.`, main);
    }
    if (closed.has(`${action} ${reserve}`)) {
      findings.add('REPEATED_INSTRUCTION', `There are two to ${action} all of ${reserve}.`, main);
    }
    closed.add(`${action} ${reserve}`);
    changes[action === 'repay' ? 'repaid' : 'withdrawn'].set(reserve, 'all');
  }
  if (chainData.loan === undefined && changes.withdrawn.size > 0) {
    const message = 'Give the chain data of the loan: collateral may leave only without debts.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  checkLoanToValue(changes, { maxLtv, chainData, findings });
  checkWrappedSum(calls, input);
  const claim: ClaimRequest = { operation: 'farm-claim', wallet, market, ...(loan && { loan }) };
  const { klend } = calledPrograms(request, chainData);
  verifyClaims(claims, {
    request: claim,
    loans: possibleLoans(claim, [klend]),
    chainData,
    findings,
  });
}

/** The limit is for all repayments together. */
function checkWrappedSum(
  calls: readonly Call[],
  { request: { maxAmount }, findings }: ExitInput<LoanExitRequest>,
): void {
  const most = maxAmount === undefined ? undefined : parseUnits(maxAmount, SOL_DECIMALS);
  const transfers = calls.filter(({ key }) => key === 'system transfer');
  const sum = transfers.reduce((total, { args }) => total + (args['lamports'] ?? 0n), 0n);
  if (most === undefined || sum <= most) return;
  const message = `${sum} lamports are wrapped together; the limit is ${most}.`;
  findings.add('WRONG_AMOUNT', message, transfers.at(-1));
}

/** All shares are redeemed, and rewards are claimed; a transaction may do only one of both. */
export function verifyVaultExit(calls: readonly Call[], input: ExitInput<VaultExitRequest>): void {
  const { request, chainData, findings } = input;
  const { wallet, kvault, mayBePartial = false, minShares } = request;
  const decimals = chainData.vault?.sharesDecimals;
  const { actions, claims } = splitExit(calls, ['kvault withdraw', 'kvault withdrawFromAvailable']);
  for (const { main, calls: part } of actions) {
    const context = createVaultContext({
      ...{ request, amount: 'all', decimals, main, chainData, findings },
    });
    verifyVaultWithdraw(part, context, { mayBePartial, isMaximum: false });
    if (minShares !== undefined) checkFewestShares(part, context, minShares);
  }
  if (actions.length > 1) {
    findings.add('REPEATED_INSTRUCTION', 'Everything is redeemed twice.', actions.at(-1)?.main);
  }
  const claim: ClaimRequest = { operation: 'farm-claim', wallet, kvault };
  verifyClaims(claims, { request: claim, loans: [], chainData, findings });
}

function verifyClaims(
  claims: readonly (readonly Call[])[],
  input: ExitInput<ClaimRequest> & { readonly loans: readonly string[] },
): void {
  for (const part of claims) verifyClaim(part, input);
}
