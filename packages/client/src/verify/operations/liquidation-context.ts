import { marketAuthority, reserveAccounts, tokenAccountOf } from '../bytes/derived-addresses.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../bytes/programs.ts';
import type { ChainData, LoanData, ReserveData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { LiquidationRequest } from '../verifiable-request.ts';
import type { WalletContext } from './account-rules.ts';
import type { Amount } from './amounts.ts';
import type { Findings } from './findings.ts';
import { wrappedSolAccount } from './wallet-rules.ts';

/** The reserve of the debt or of the deposit, and the liquidator's account of its token. */
type LiquidationSide = {
  readonly reserve: string;
  readonly data: ReserveData | undefined;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly tokenAccount: string;
  readonly isSol: boolean;
};

/** What the accounts of a liquidation must be. */
export type LiquidationContext = WalletContext & {
  readonly program: string;
  readonly market: string;
  readonly marketAuthority: string;
  readonly loan: string;
  readonly loanData: LoanData | null | undefined;
  readonly referrer: string | undefined;
  readonly repay: LiquidationSide;
  readonly withdraw: LiquidationSide;
  readonly collateralMint: string;
  readonly collateralAccount: string;
  readonly reserves: Readonly<Record<string, ReserveData>>;
  readonly main: Call;
  readonly amount: Amount;
};

type LiquidationInput = {
  readonly request: LiquidationRequest;
  readonly amount: Amount;
  readonly main: Call;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

export function createLiquidationContext(input: LiquidationInput): LiquidationContext {
  const { request, amount, main, chainData, findings } = input;
  const { wallet, market, loan } = request;
  const { program, accounts } = main;
  const reserves = chainData.reserves ?? {};
  const sideOf = (reserve: string, mintName: string, programName: string): LiquidationSide => {
    const data = reserves[reserve];
    const mint = data?.mint ?? accounts[mintName] ?? '';
    const tokenProgram = data?.tokenProgram ?? accounts[programName] ?? '';
    const tokenAccount = tokenAccountOf(wallet, mint, tokenProgram);
    return { reserve, data, mint, tokenProgram, tokenAccount, isSol: mint === WRAPPED_SOL_MINT };
  };
  const repay = sideOf(
    request.repayReserve,
    'repayReserveLiquidityMint',
    'repayLiquidityTokenProgram',
  );
  const withdraw = sideOf(
    request.withdrawReserve,
    'withdrawReserveLiquidityMint',
    'withdrawLiquidityTokenProgram',
  );
  // a mint that is neither stored nor derived fails its own rule
  const legacyMint = reserveAccounts.collateralMint(program, market, withdraw.mint);
  const derivedMint = reserveAccounts.collateralMint(program, withdraw.reserve);
  const isLegacy = accounts['withdrawReserveCollateralMint'] === legacyMint;
  const collateralMint = withdraw.data?.collateralMint ?? (isLegacy ? legacyMint : derivedMint);
  const collateralAccount = tokenAccountOf(wallet, collateralMint, TOKEN_PROGRAM);
  return {
    wallet,
    findings,
    ownAccounts: new Set([
      ...[wallet, repay.tokenAccount, withdraw.tokenAccount, collateralAccount],
      wrappedSolAccount(wallet),
    ]),
    program,
    market,
    marketAuthority: marketAuthority(program, market),
    loan,
    loanData: chainData.loan,
    referrer: chainData.loan?.referrer ?? undefined,
    repay,
    withdraw,
    collateralMint,
    collateralAccount,
    reserves,
    main,
    amount,
  };
}
