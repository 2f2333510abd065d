import {
  type LoanSeeds,
  marketAuthority,
  tokenAccountOf,
  userMetadata,
} from '../bytes/derived-addresses.ts';
import { WRAPPED_SOL_MINT } from '../bytes/programs.ts';
import type { ChainData, LoanData, ReserveData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { RequestedLoan } from '../verifiable-request.ts';
import type { WalletContext } from './account-rules.ts';
import type { Amount } from './amounts.ts';
import type { Findings } from './findings.ts';
import { checkNamedLoan, loanTarget } from './requested-loan.ts';
import { wrappedSolAccount } from './wallet-rules.ts';

export type LendingAction = 'deposit' | 'borrow' | 'repay' | 'withdraw';

/** The instruction of an operation, and what it calls the accounts that others depend on. */
type ActionNames = {
  readonly key: string;
  readonly mint: string;
  readonly tokenProgram: string;
};

export const ACTIONS: Readonly<Record<LendingAction, ActionNames>> = {
  deposit: {
    key: 'klend depositReserveLiquidityAndObligationCollateralV2',
    mint: 'reserveLiquidityMint',
    tokenProgram: 'liquidityTokenProgram',
  },
  borrow: {
    key: 'klend borrowObligationLiquidityV2',
    mint: 'borrowReserveLiquidityMint',
    tokenProgram: 'tokenProgram',
  },
  repay: {
    key: 'klend repayObligationLiquidityV2',
    mint: 'reserveLiquidityMint',
    tokenProgram: 'tokenProgram',
  },
  withdraw: {
    key: 'klend withdrawObligationCollateralAndRedeemReserveCollateralV2',
    mint: 'reserveLiquidityMint',
    tokenProgram: 'liquidityTokenProgram',
  },
};

/** What the accounts of a lending transaction must be. */
export type LendingContext = WalletContext & {
  readonly action: LendingAction;
  readonly program: string;
  readonly market: string;
  readonly marketAuthority: string;
  readonly reserve: string;
  readonly loan: string;
  /** Undefined if the request names a loan by its address, which must exist. */
  readonly seeds: LoanSeeds | undefined;
  readonly metadata: string;
  readonly referrer: string | undefined;
  readonly main: Call;
  /** From the chain data, otherwise from the transaction: the program compares them with the reserve. */
  readonly mint: string;
  readonly tokenProgram: string;
  readonly tokenAccount: string;
  readonly isSol: boolean;
  readonly reserves: Readonly<Record<string, ReserveData>>;
  /** Undefined if not known, null if the wallet has none. */
  readonly loanData: LoanData | null | undefined;
  readonly amount: Amount;
  readonly decimals: number | undefined;
  /** Reserves of the loan that an action before this one may have added or removed. */
  readonly changedReserves?: readonly string[];
};

/** A reserve of a market, and the wallet's loan there. */
type LendingTarget = {
  readonly wallet: string;
  readonly market: string;
  readonly reserve: string;
  readonly loan?: RequestedLoan | undefined;
  readonly referrer?: string | undefined;
};

type LendingInput = {
  readonly request: LendingTarget;
  readonly action: LendingAction;
  readonly amount: Amount;
  readonly decimals: number | undefined;
  readonly main: Call;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

export function createLendingContext(input: LendingInput): LendingContext {
  const { request, action, main, chainData, findings, amount, decimals } = input;
  const { wallet, market, reserve } = request;
  const { program } = main;
  const { loan, seeds } = loanTarget(program, request);
  checkNamedLoan(request, { chainData, findings });
  const metadata = userMetadata(program, wallet);
  const names = ACTIONS[action];
  const reserves = chainData.reserves ?? {};
  const mint = reserves[reserve]?.mint ?? main.accounts[names.mint] ?? '';
  const tokenProgram = reserves[reserve]?.tokenProgram ?? main.accounts[names.tokenProgram] ?? '';
  const tokenAccount = tokenAccountOf(wallet, mint, tokenProgram);
  return {
    wallet,
    findings,
    ownAccounts: new Set([wallet, loan, metadata, tokenAccount, wrappedSolAccount(wallet)]),
    action,
    program,
    market,
    marketAuthority: marketAuthority(program, market),
    reserve,
    loan,
    seeds,
    metadata,
    referrer: chainData.loan ? (chainData.loan.referrer ?? undefined) : request.referrer,
    main,
    mint,
    tokenProgram,
    tokenAccount,
    isSol: mint === WRAPPED_SOL_MINT,
    reserves,
    loanData: chainData.loan,
    amount,
    decimals,
  };
}
