import type { ChainData } from '../chain/chain-data.ts';
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
  type VaultExitRequest,
  type VerifiableRequest,
} from '../verifiable-request.ts';
import { type Amount, isEverything, parseUnits, SOL_DECIMALS, U64_MAX } from './amounts.ts';
import type { Findings } from './findings.ts';
import { type BuilderName, operationNames } from './operation-names.ts';

export type CheckedRequest = {
  readonly name: BuilderName;
  /** Zero for a claim, and for leverage, whose amounts are several. The most shares if the request is for tokens of a vault. */
  readonly amount: Amount;
  readonly decimals: number | undefined;
};

/** Undefined, with a finding, if the request cannot be checked. Its fields have their types. */
export function checkRequest(
  request: VerifiableRequest,
  chainData: ChainData,
  findings: Findings,
): CheckedRequest | undefined {
  const name = operationNames.get(request.operation);
  // a limit that cannot be read must not count as none
  const maxAmount = 'maxAmount' in request ? request.maxAmount : undefined;
  if (maxAmount !== undefined && parseUnits(maxAmount, SOL_DECIMALS) === undefined) {
    findings.add('INVALID_REQUEST', 'maxAmount is not valid.');
  }
  const decimals = decimalsOf(request, chainData, findings);
  const amount = amountOf(request, decimals, findings);
  if (findings.reasons.length > 0 || amount === undefined || name === undefined) return undefined;
  return { name, amount, decimals };
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
  if (text === undefined) return invalid();
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
