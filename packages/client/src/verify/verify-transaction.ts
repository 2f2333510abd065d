import { decodeBase64 } from './bytes/byte-reader.ts';
import { loanAddress, PLAIN_LOAN } from './bytes/derived-addresses.ts';
import { type ParsedTransaction, parseTransaction } from './bytes/parse-transaction.ts';
import { KLEND_PROGRAMS } from './bytes/programs.ts';
import { type LookupTables, resolveAccounts } from './bytes/resolve-accounts.ts';
import type { ChainData } from './chain/chain-data.ts';
import { type ExplainedInstruction, explainCall } from './explain-call.ts';
import { type Call, decodeCalls, isComplete, isForeign } from './instructions/decode-calls.ts';
import { parseUnits } from './operations/amounts.ts';
import { checkBudget } from './operations/budget.ts';
import { type CheckedRequest, checkRequest } from './operations/check-request.ts';
import { Findings } from './operations/findings.ts';
import { ACTIONS, createLendingContext, type LendingAction } from './operations/lending-context.ts';
import { createLiquidationContext } from './operations/liquidation-context.ts';
import { checkRoles } from './operations/roles.ts';
import { createVaultContext } from './operations/vault-context.ts';
import { verifyClaim } from './operations/verify-claim.ts';
import { verifyLending } from './operations/verify-lending.ts';
import { LIQUIDATE, verifyLiquidation } from './operations/verify-liquidation.ts';
import { verifyVaultDeposit, verifyVaultWithdraw } from './operations/verify-vault.ts';
import type { Reason } from './reasons.ts';
import {
  type ClaimRequest,
  isClaimRequest,
  isLiquidationRequest,
  isVaultDepositRequest,
  isVaultWithdrawRequest,
  type LendingRequest,
  type LiquidationRequest,
  type VerifiableRequest,
} from './verifiable-request.ts';

export type VerificationInput = {
  readonly request: VerifiableRequest;
  /** Wire format, signed or not: bytes, or base64 text. */
  readonly transaction: string | Uint8Array;
  /** All entries of each lookup table that the transaction names. */
  readonly lookupTables?: LookupTables;
  /** Values of the chain. The more are given, the fewer accounts are left to the programs to check. */
  readonly chainData?: ChainData;
};

export type VerificationResult = {
  /** `undecided` only if the contents of a lookup table are missing. */
  readonly verdict: 'accepted' | 'rejected' | 'undecided';
  readonly reasons: readonly Reason[];
  readonly instructions: readonly ExplainedInstruction[];
};

/** Decides from the bytes alone whether a transaction does what was requested, and nothing else. Asks no server. */
export async function verifyTransaction(input: VerificationInput): Promise<VerificationResult> {
  const { request, transaction, lookupTables = {}, chainData = {} } = input;
  const findings = new Findings();
  const checked = checkRequest(request, chainData, findings);
  const bytes = typeof transaction === 'string' ? decodeBase64(transaction) : transaction;
  const parsed = bytes === undefined ? NOT_BASE64 : parseTransaction(bytes);
  if ('code' in parsed) return rejected([...findings.reasons, parsed]);
  checkSigner(parsed, request.wallet, findings);
  const resolved = resolveAccounts(parsed, lookupTables);
  findings.reasons.push(...resolved.reasons);
  if (resolved.missingTables.length > 0) {
    return findings.reasons.length > 0
      ? rejected(findings.reasons)
      : undecided(resolved.missingTables);
  }
  const decoded = decodeCalls(parsed, resolved.accounts);
  const instructions = decoded.map((call) => explainCall(call, checked?.decimals));
  findings.reasons.push(...decoded.filter(isForeign).map(({ reason }) => reason));
  if (checked === undefined) return rejected(findings.reasons, instructions);
  const calls = decoded.filter(isComplete);
  checkBudget(calls, request, findings);
  checkOperation(calls, { request, chainData, checked, findings });
  if (calls.length === decoded.length) {
    checkRoles(calls, { accounts: resolved.accounts, wallet: request.wallet }, findings);
  }
  return findings.reasons.length > 0
    ? rejected(findings.reasons, instructions)
    : { verdict: 'accepted', reasons: [], instructions };
}

const NOT_BASE64: Reason = {
  code: 'MALFORMED_TRANSACTION',
  message: 'The transaction is not base64.',
};

const rejected = (
  reasons: readonly Reason[],
  instructions: readonly ExplainedInstruction[] = [],
): VerificationResult => ({ verdict: 'rejected', reasons, instructions });

const undecided = (tables: readonly string[]): VerificationResult => ({
  verdict: 'undecided',
  reasons: tables.map((table) => ({
    code: 'MISSING_LOOKUP_TABLE',
    message: `The contents of the lookup table ${table} are not given.`,
  })),
  instructions: [],
});

/** Known without any lookup table, as signers are never loaded from one. */
function checkSigner(
  { staticKeys, requiredSignatures }: ParsedTransaction,
  wallet: string,
  findings: Findings,
): void {
  if (staticKeys[0] !== wallet) {
    findings.add('WRONG_FEE_PAYER', `${staticKeys[0]} pays the fee instead of ${wallet}.`);
  }
  for (const signer of staticKeys.slice(1, requiredSignatures)) {
    findings.add('EXTRA_SIGNER', `The account ${signer} signs as well.`);
  }
}

type Operation = {
  readonly request: VerifiableRequest;
  readonly chainData: ChainData;
  readonly checked: CheckedRequest;
  readonly findings: Findings;
};

const mainKeys: Readonly<Record<CheckedRequest['name'], readonly string[]>> = {
  'lend-deposit': [ACTIONS.deposit.key],
  'lend-borrow': [ACTIONS.borrow.key],
  'lend-repay': [ACTIONS.repay.key],
  'lend-withdraw': [ACTIONS.withdraw.key],
  'lend-liquidate': [LIQUIDATE],
  'vault-deposit': ['kvault deposit'],
  'vault-withdraw': ['kvault withdraw', 'kvault withdrawFromAvailable'],
  'farm-claim': ['farms harvestReward'],
};

function checkOperation(calls: readonly Call[], operation: Operation): void {
  const { request, chainData, checked, findings } = operation;
  const keys = mainKeys[checked.name];
  const main = calls.find(({ key }) => keys.includes(key));
  if (main === undefined) {
    findings.add('MISSING_INSTRUCTION', `${keys.join(' or ')} is missing.`);
    return;
  }
  const { amount, decimals } = checked;
  if (isClaimRequest(request)) {
    verifyClaim(calls, { request, loans: loansOf(request), chainData, findings });
  } else if (isVaultDepositRequest(request)) {
    const context = createVaultContext({ request, amount, decimals, main, chainData, findings });
    verifyVaultDeposit(calls, context, request.stake);
  } else if (isVaultWithdrawRequest(request)) {
    const context = createVaultContext({ request, amount, decimals, main, chainData, findings });
    const { mayBePartial = false, unit } = request;
    verifyVaultWithdraw(calls, context, { mayBePartial, isMaximum: unit === 'tokens' });
  } else if (isLiquidationRequest(request)) {
    const context = createLiquidationContext({ request, amount, main, chainData, findings });
    const minReceived = minReceivedOf(request, { chainData, findings });
    verifyLiquidation(calls, context, { minReceived, maxWrapped: maxWrappedOf(request) });
  } else {
    const action = actionOf(checked.name);
    const input = { request, action, amount, decimals, main, chainData, findings };
    verifyLending(calls, createLendingContext(input), maxWrappedOf(request));
  }
}

/** The address depends on the program that owns the market, which the request does not name. */
function loansOf({ market, wallet, loan = PLAIN_LOAN }: ClaimRequest): string[] {
  if (market === undefined) return [];
  return KLEND_PROGRAMS.map((program) => loanAddress(program, { ...loan, wallet, market }));
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

const SOL_DECIMALS = 9;

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
