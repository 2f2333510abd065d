import { isAddress } from '../bytes/base58.ts';
import type { ChainData } from '../chain/chain-data.ts';
import { readGiven } from '../instructions/given-instructions.ts';
import {
  type ClaimRequest,
  isClaimRequest,
  isLeverageRequest,
  isLiquidationRequest,
  isLoanExitRequest,
  isVaultDepositRequest,
  isVaultExitRequest,
  isVaultWithdrawRequest,
  type LeverageRequest,
  type LoanExitRequest,
  type VaultDepositRequest,
  type VaultExitRequest,
  type VaultWithdrawRequest,
  type VerifiableRequest,
} from '../verifiable-request.ts';
import { type Amount, isEverything, parseUnits, SOL_DECIMALS, U64_MAX } from './amounts.ts';
import type { Findings } from './findings.ts';

/** The operation without the spelling of the OpenAPI document. */
type BuilderName =
  | 'lend-deposit'
  | 'lend-borrow'
  | 'lend-repay'
  | 'lend-withdraw'
  | 'lend-liquidate'
  | 'lend-multiply'
  | 'lend-deleverage'
  | 'lend-exit'
  | 'vault-exit'
  | 'vault-deposit'
  | 'vault-withdraw'
  | 'farm-claim';

const operationNames: Readonly<Record<VerifiableRequest['operation'], BuilderName>> = {
  'lend-deposit': 'lend-deposit',
  buildLendDepositTx: 'lend-deposit',
  'lend-borrow': 'lend-borrow',
  buildLendBorrowTx: 'lend-borrow',
  'lend-repay': 'lend-repay',
  buildLendRepayTx: 'lend-repay',
  'lend-withdraw': 'lend-withdraw',
  buildLendWithdrawTx: 'lend-withdraw',
  'lend-liquidate': 'lend-liquidate',
  buildLiquidationTx: 'lend-liquidate',
  'lend-multiply': 'lend-multiply',
  buildMultiplyTx: 'lend-multiply',
  'lend-deleverage': 'lend-deleverage',
  buildDeleverageTx: 'lend-deleverage',
  'lend-exit': 'lend-exit',
  planLoanExit: 'lend-exit',
  'vault-exit': 'vault-exit',
  planVaultExit: 'vault-exit',
  'vault-deposit': 'vault-deposit',
  buildVaultDepositTx: 'vault-deposit',
  'vault-withdraw': 'vault-withdraw',
  buildVaultWithdrawTx: 'vault-withdraw',
  'farm-claim': 'farm-claim',
  buildFarmClaimTx: 'farm-claim',
};

export type CheckedRequest = {
  readonly name: BuilderName;
  /** Zero for a claim, and for leverage, whose amounts are several. The most shares if the request is for tokens of a vault. */
  readonly amount: Amount;
  readonly decimals: number | undefined;
};

const ADDRESS_FIELDS = [
  ...(['wallet', 'market', 'reserve', 'kvault', 'farm', 'referrer'] as const),
  ...(['repayReserve', 'withdrawReserve', 'collateralReserve', 'debtReserve'] as const),
  ...(['seed1', 'seed2'] as const),
];

/** Undefined, with a finding, if the request cannot be checked. */
export function checkRequest(
  request: VerifiableRequest,
  chainData: ChainData,
  findings: Findings,
): CheckedRequest | undefined {
  const invalid = (message: string) => findings.add('INVALID_REQUEST', message);
  const name: BuilderName | undefined = operationNames[request.operation];
  if (name === undefined) invalid(`The operation ${String(request.operation)} is not known.`);
  const fields: Readonly<Record<string, unknown>> = { ...request, ...loanSeedsOf(request) };
  const required = ['wallet', ...requiredAddresses(request)];
  for (const field of new Set([...required, ...ADDRESS_FIELDS])) {
    const value = fields[field];
    if (value === undefined && !required.includes(field)) continue;
    if (typeof value !== 'string' || !isAddress(value)) invalid(`${field} is not an address.`);
  }
  if (!isLimitValid(request)) invalid('maxAmount is not valid.');
  if (isLeverageRequest(request) && readGiven(request.swap) === undefined) {
    invalid('swap.instructions must be instructions with programAddress, accounts and data.');
  }
  const decimals = decimalsOf(request, chainData, findings);
  const amount = amountOf(request, decimals, findings);
  if (findings.reasons.length > 0 || amount === undefined || name === undefined) return undefined;
  return { name, amount, decimals };
}

/** A limit that cannot be read must not count as none. */
function isLimitValid(request: VerifiableRequest): boolean {
  const maxAmount: unknown = 'maxAmount' in request ? request.maxAmount : undefined;
  if (maxAmount === undefined) return true;
  return typeof maxAmount === 'string' && parseUnits(maxAmount, SOL_DECIMALS) !== undefined;
}

const loanSeedsOf = (request: VerifiableRequest): object =>
  'loan' in request && typeof request.loan === 'object' ? { ...request.loan } : {};

function requiredAddresses(request: VerifiableRequest): readonly string[] {
  if (isLiquidationRequest(request)) return ['market', 'loan', 'repayReserve', 'withdrawReserve'];
  if (isClaimRequest(request)) return request.kvault === undefined ? ['market'] : ['kvault'];
  if (isLeverageRequest(request)) return ['market', 'collateralReserve', 'debtReserve'];
  if (isLoanExitRequest(request)) return ['market'];
  if (isVaultExitRequest(request)) return ['kvault'];
  return isVaultRequest(request) ? ['kvault'] : ['market', 'reserve'];
}

/** The decimals of the token, or of the shares for a withdrawal from a vault. */
function decimalsOf(
  request: VerifiableRequest,
  chainData: ChainData,
  findings: Findings,
): number | undefined {
  if (!hasAmount(request)) return undefined;
  const known = knownDecimals(request, chainData);
  if (known !== undefined && request.decimals !== undefined && known !== request.decimals) {
    findings.add('INVALID_REQUEST', `The token has ${known} decimals, not ${request.decimals}.`);
  }
  const decimals = known ?? request.decimals;
  if (decimals === undefined && !isEverything(amountText(request) ?? '')) {
    const message = 'Give the decimals of the token: decimals in the request, or chain data.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  return decimals;
}

type AmountRequest = Exclude<
  VerifiableRequest,
  ClaimRequest | LeverageRequest | LoanExitRequest | VaultExitRequest
>;

/** Whether the request has one amount. */
const hasAmount = (request: VerifiableRequest): request is AmountRequest =>
  !isClaimRequest(request) && !isLeverageRequest(request) && !isExitRequest(request);

const isExitRequest = (request: VerifiableRequest): request is LoanExitRequest | VaultExitRequest =>
  isLoanExitRequest(request) || isVaultExitRequest(request);

const isVaultRequest = (
  request: VerifiableRequest,
): request is VaultDepositRequest | VaultWithdrawRequest =>
  isVaultDepositRequest(request) || isVaultWithdrawRequest(request);

function knownDecimals(request: AmountRequest, { reserves, vault }: ChainData): number | undefined {
  if (isVaultDepositRequest(request)) return vault?.tokenDecimals;
  if (isVaultWithdrawRequest(request)) return vault?.sharesDecimals;
  const reserve = isLiquidationRequest(request) ? request.repayReserve : request.reserve;
  return reserves?.[reserve]?.decimals;
}

/** A request for everything is one of these. */
const EXITS: readonly VerifiableRequest['operation'][] = [
  'lend-repay',
  'buildLendRepayTx',
  'lend-withdraw',
  'buildLendWithdrawTx',
  'lend-liquidate',
  'buildLiquidationTx',
  'vault-withdraw',
  'buildVaultWithdrawTx',
];

function amountOf(
  request: VerifiableRequest,
  decimals: number | undefined,
  findings: Findings,
): Amount | undefined {
  if (isExitRequest(request)) return 'all';
  if (!hasAmount(request)) return 0n;
  const text = amountText(request);
  if (text === undefined && request.amount !== undefined) {
    findings.add('MISSING_CHAIN_DATA', 'State the most shares that may be redeemed: maxShares.');
    return undefined;
  }
  const invalid = () => {
    findings.add('INVALID_REQUEST', `The amount ${text} is not valid.`);
    return undefined;
  };
  const isExit = EXITS.includes(request.operation);
  if (typeof text !== 'string') return invalid();
  if (isEverything(text)) return isExit ? 'all' : invalid();
  if (decimals === undefined) return undefined;
  const units = parseUnits(text, decimals);
  if (units === undefined || units === 0n || units > U64_MAX) return invalid();
  if (units === U64_MAX) return isExit ? 'all' : invalid();
  const total = isVaultWithdrawRequest(request) ? request.totalShares : undefined;
  return total !== undefined && parseUnits(total, decimals) === units ? 'all' : units;
}

/** The shares of a withdrawal of tokens are not in the request, only the most that they may be. */
const amountText = (request: AmountRequest): string | undefined =>
  isVaultWithdrawRequest(request) && request.unit === 'tokens' ? request.maxShares : request.amount;
