import { possibleLoans } from '../bytes/derived-addresses.ts';
import type { ChainData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  isClaimRequest,
  isLeverageRequest,
  isLiquidationRequest,
  isLoanExitRequest,
  isVaultDepositRequest,
  isVaultExitRequest,
  isVaultWithdrawRequest,
  type LendingRequest,
  type LiquidationRequest,
  type VerifiableRequest,
} from '../verifiable-request.ts';
import { type Amount, parseUnits, SOL_DECIMALS, U64_MAX } from './amounts.ts';
import { calledPrograms, checkPrograms } from './called-programs.ts';
import type { CheckedRequest } from './check-request.ts';
import type { Findings } from './findings.ts';
import { checkLeastRedemption } from './least-redemption.ts';
import { ACTIONS, createLendingContext, type LendingAction } from './lending-context.ts';
import { createLiquidationContext } from './liquidation-context.ts';
import { checkLoanToValue } from './loan-to-value.ts';
import { createVaultContext } from './vault-context.ts';
import { verifyClaim } from './verify-claim.ts';
import { verifyLoanExit, verifyVaultExit } from './verify-exit.ts';
import { verifyLending } from './verify-lending.ts';
import { verifyLeverage } from './verify-leverage.ts';
import { LIQUIDATE, verifyLiquidation } from './verify-liquidation.ts';
import { VAULT_DEPOSITS, verifyVaultDeposit, verifyVaultWithdraw } from './verify-vault.ts';

type Operation = {
  readonly request: VerifiableRequest;
  readonly chainData: ChainData;
  readonly checked: CheckedRequest;
  readonly findings: Findings;
};

const REDEMPTIONS: readonly string[] = ['kvault withdraw', 'kvault withdrawFromAvailable'];
const HARVEST = 'farms harvestReward';

const mainKeys: Readonly<Record<CheckedRequest['name'], readonly string[]>> = {
  'lend-deposit': [ACTIONS.deposit.key],
  'lend-borrow': [ACTIONS.borrow.key],
  'lend-repay': [ACTIONS.repay.key],
  'lend-withdraw': [ACTIONS.withdraw.key],
  'lend-liquidate': [LIQUIDATE],
  'lend-multiply': [ACTIONS.deposit.key],
  'lend-deleverage': [ACTIONS.repay.key],
  'lend-exit': [ACTIONS.repay.key, ACTIONS.withdraw.key, HARVEST],
  'vault-exit': [...REDEMPTIONS, HARVEST],
  'vault-deposit': VAULT_DEPOSITS,
  'vault-withdraw': REDEMPTIONS,
  'farm-claim': [HARVEST],
};

/** Checks that the calls are the requested operation, and nothing else. */
export function checkOperation(calls: readonly Call[], operation: Operation): void {
  const { request, chainData, checked, findings } = operation;
  const keys = mainKeys[checked.name];
  const main = calls.find(({ key }) => keys.includes(key));
  if (main === undefined) {
    findings.add('MISSING_INSTRUCTION', `${keys.join(' or ')} is missing.`);
    return;
  }
  const { amount, decimals } = checked;
  checkPrograms(calls, operation);
  if (isClaimRequest(request)) {
    const { klend } = calledPrograms(request, chainData);
    const loans = request.market === undefined ? [] : possibleLoans(request, [klend]);
    verifyClaim(calls, { request, loans, chainData, findings });
  } else if (isLeverageRequest(request)) {
    verifyLeverage(calls, { request, chainData, findings });
  } else if (isLoanExitRequest(request)) {
    verifyLoanExit(calls, { request, chainData, findings });
  } else if (isVaultExitRequest(request)) {
    verifyVaultExit(calls, { request, chainData, findings });
  } else if (isVaultDepositRequest(request)) {
    const context = createVaultContext({ request, amount, decimals, main, chainData, findings });
    const { stake, mayBePartial = false } = request;
    verifyVaultDeposit(calls, context, { stake, mayBePartial });
  } else if (isVaultWithdrawRequest(request)) {
    const context = createVaultContext({ request, amount, decimals, main, chainData, findings });
    const { mayBePartial = false, unit } = request;
    const isMaximum = unit === 'tokens';
    verifyVaultWithdraw(calls, context, { mayBePartial, isMaximum });
    checkLeastRedemption(calls, context, request);
  } else if (isLiquidationRequest(request)) {
    const context = createLiquidationContext({ request, amount, main, chainData, findings });
    const minReceived = minReceivedOf(request, { chainData, findings });
    verifyLiquidation(calls, context, { minReceived, maxWrapped: maxWrappedOf(request) });
  } else {
    const action = actionOf(checked.name);
    const input = { request, action, amount, decimals, main, chainData, findings };
    verifyLending(calls, createLendingContext(input), maxWrappedOf(request));
    checkLimit(request, { action, amount, main, chainData, findings });
  }
}

const actionOf = (name: CheckedRequest['name']): LendingAction => {
  switch (name) {
    case 'lend-borrow':
      return 'borrow';
    case 'lend-repay':
      return 'repay';
    case 'lend-withdraw':
      return 'withdraw';
    default:
      return 'deposit';
  }
};

type LimitInput = Pick<Operation, 'chainData' | 'findings'> & {
  readonly action: LendingAction;
  readonly amount: Amount;
  readonly main: Call;
};

/** What a withdrawal or borrow makes of the loan. */
function checkLimit(request: LendingRequest, { action, amount, main, ...input }: LimitInput): void {
  const { reserve } = request;
  const limit = { maxLtv: 'maxLtv' in request ? request.maxLtv : undefined, ...input };
  if (action === 'borrow' && amount !== 'all') {
    checkLoanToValue({ borrowed: new Map([[reserve, amount]]) }, limit);
  }
  if (action !== 'withdraw') return;
  const ctokens = main.args['collateralAmount'] ?? U64_MAX;
  const withdrawn = new Map([[reserve, ctokens === U64_MAX ? 'all' : ctokens] as const]);
  checkLoanToValue({ withdrawn }, limit);
}

/** A minimum is in the token that is seized, whose decimals only the chain data has. */
function minReceivedOf(
  { minReceivedAmount, withdrawReserve }: LiquidationRequest,
  { chainData, findings }: Pick<Operation, 'chainData' | 'findings'>,
): bigint {
  if (minReceivedAmount === undefined) return 0n;
  const { decimals } = chainData.reserves?.[withdrawReserve] ?? {};
  const units = decimals === undefined ? undefined : parseUnits(minReceivedAmount, decimals);
  if (units === undefined) {
    const message = 'minReceivedAmount needs the chain data of the reserve, and must be exact.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  return units ?? 0n;
}

const maxWrappedOf = (request: LendingRequest | LiquidationRequest): bigint | undefined =>
  'maxAmount' in request && request.maxAmount !== undefined
    ? parseUnits(request.maxAmount, SOL_DECIMALS)
    : undefined;
