import { type LoanSeeds, loanAddress, PLAIN_LOAN } from '../bytes/derived-addresses.ts';
import type { ChainData } from '../chain/chain-data.ts';
import {
  isMultiplyRequest,
  type LeverageRequest,
  type RequestedLoan,
} from '../verifiable-request.ts';
import type { Findings } from './findings.ts';

type LoanInput = {
  readonly wallet: string;
  readonly market: string;
  readonly loan?: RequestedLoan | undefined;
};

/** The address of a loan, and the seeds of one that the transaction may open. */
export type LoanTarget = { readonly loan: string; readonly seeds: LoanSeeds | undefined };

export function loanTarget(
  program: string,
  { wallet, market, loan = PLAIN_LOAN }: LoanInput,
): LoanTarget {
  return typeof loan === 'string'
    ? { loan, seeds: undefined }
    : { loan: loanAddress(program, { ...loan, wallet, market }), seeds: loan };
}

/** A loan that the request names by its address must exist, and be the wallet's. */
export function checkNamedLoan(
  { wallet, market, loan }: LoanInput,
  { chainData, findings }: { readonly chainData: ChainData; readonly findings: Findings },
): void {
  const { loan: data } = chainData;
  if (data === undefined) return;
  if (data === null) {
    if (typeof loan === 'string') findings.add('WRONG_LOAN', `The loan ${loan} does not exist.`);
    return;
  }
  if (data.owner !== wallet) {
    findings.add('WRONG_LOAN', `The loan is owned by ${data.owner} instead of ${wallet}.`);
  }
  if (data.market !== market) {
    findings.add('WRONG_MARKET', `The loan is of the market ${data.market} instead of ${market}.`);
  }
}

const KIND_TAGS = { multiply: 1, leverage: 3 } as const;

/** The loan of the request, as its address or seeds. Undefined if it depends on tokens that are not known. */
export function leveragedLoan(
  request: LeverageRequest,
  { reserves = {} }: Pick<ChainData, 'reserves'>,
): RequestedLoan | undefined {
  if (request.loan !== undefined) return request.loan;
  const kind = isMultiplyRequest(request) ? (request.loanKind ?? 'vanilla') : 'vanilla';
  if (kind === 'vanilla') return PLAIN_LOAN;
  const seed1 = reserves[request.collateralReserve]?.mint;
  const seed2 = reserves[request.debtReserve]?.mint;
  if (seed1 === undefined || seed2 === undefined) return undefined;
  return { tag: KIND_TAGS[kind], id: 0, seed1, seed2 };
}
