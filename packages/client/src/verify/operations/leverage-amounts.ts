import type { ChainData } from '../chain/chain-data.ts';
import { isMultiplyRequest, type LeverageRequest } from '../verifiable-request.ts';
import { type Amount, isEverything, parseUnits, U64_MAX } from './amounts.ts';
import type { Findings } from './findings.ts';

/** In smallest units. */
export type LeverageAmounts = {
  /** Tokens of the wallet in the first action. */
  readonly own: bigint;
  readonly flashLoan: { readonly min: bigint; readonly max: bigint };
  readonly first: Amount;
  readonly second: Amount;
};

type AmountSource = { readonly chainData: ChainData; readonly findings: Findings };

/** Undefined, with a finding, if an amount cannot be checked. */
export function leverageAmounts(
  request: LeverageRequest,
  source: AmountSource,
): LeverageAmounts | undefined {
  const { collateralReserve, debtReserve, collateralDecimals, debtDecimals } = request;
  const collateral = decimalsOf(collateralReserve, collateralDecimals, source);
  const debt = decimalsOf(debtReserve, debtDecimals, source);
  if (collateral === undefined || debt === undefined) return undefined;
  const { findings } = source;
  const exact = (text: string, decimals: number): bigint | undefined => {
    const units = typeof text === 'string' ? parseUnits(text, decimals) : undefined;
    if (units !== undefined && units < U64_MAX) return units;
    findings.add('INVALID_REQUEST', `The amount ${text} is not valid.`);
    return undefined;
  };
  if (isMultiplyRequest(request)) {
    const own = exact(request.depositAmount ?? '0', collateral);
    const lent = exact(request.flashLoanAmount, collateral);
    const borrowed = exact(request.borrowAmount, debt);
    if (own === undefined || lent === undefined || borrowed === undefined) return undefined;
    return { own, flashLoan: { min: lent, max: lent }, first: own + lent, second: borrowed };
  }
  const orAll = (text: string, decimals: number): Amount | undefined =>
    isEverything(text) ? 'all' : exact(text, decimals);
  const { repayAmount, withdrawAmount, maxFlashLoanAmount } = request;
  const first = orAll(repayAmount, debt);
  const second = orAll(withdrawAmount, collateral);
  const most =
    maxFlashLoanAmount === undefined || first === undefined
      ? first
      : exact(maxFlashLoanAmount, debt);
  if (most === 'all') {
    const message = 'State the most that the flash loan may be: maxFlashLoanAmount.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  if (first === undefined || second === undefined) return undefined;
  if (most === undefined || most === 'all') return undefined;
  return { own: 0n, flashLoan: { min: 1n, max: most }, first, second };
}

function decimalsOf(
  reserve: string,
  given: number | undefined,
  { chainData, findings }: AmountSource,
): number | undefined {
  const known = chainData.reserves?.[reserve]?.decimals;
  if (known !== undefined && given !== undefined && known !== given) {
    findings.add('INVALID_REQUEST', `The token has ${known} decimals, not ${given}.`);
  }
  const decimals = known ?? given;
  if (decimals === undefined) {
    const message = 'Give the decimals of both tokens: in the request, or as chain data.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  return decimals;
}
