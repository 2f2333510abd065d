import { deriveProgramAddress } from './program-address.ts';
import { ASSOCIATED_TOKEN_PROGRAM, FARMS_PROGRAM, SYSTEM_PROGRAM } from './programs.ts';

export const tokenAccountOf = (wallet: string, mint: string, tokenProgram: string): string =>
  deriveProgramAddress(ASSOCIATED_TOKEN_PROGRAM, [wallet, tokenProgram, mint]);

/** The kind of a loan account. The default is the plain loan. */
export type LoanSeeds = {
  readonly tag: number;
  readonly id: number;
  readonly seed1: string;
  readonly seed2: string;
};

export const PLAIN_LOAN: LoanSeeds = {
  tag: 0,
  id: 0,
  seed1: SYSTEM_PROGRAM,
  seed2: SYSTEM_PROGRAM,
};

export type LoanKey = LoanSeeds & { readonly wallet: string; readonly market: string };

export const loanAddress = (program: string, loan: LoanKey): string =>
  deriveProgramAddress(program, [
    { byte: loan.tag },
    { byte: loan.id },
    loan.wallet,
    loan.market,
    loan.seed1,
    loan.seed2,
  ]);

/** The wallet's loan, for each lending program that may own the market. An address needs no program. */
export const possibleLoans = (
  {
    wallet,
    market = '',
    loan = PLAIN_LOAN,
  }: {
    readonly wallet: string;
    readonly market?: string;
    readonly loan?: string | LoanSeeds;
  },
  programs: readonly string[],
): string[] =>
  typeof loan === 'string'
    ? [loan]
    : programs.map((program) => loanAddress(program, { ...loan, wallet, market }));

const withText =
  (text: string) =>
  (program: string, ...addresses: readonly string[]): string =>
    deriveProgramAddress(program, [{ text }, ...addresses]);

/** Of a market. */
export const marketAuthority = withText('lma');
/** Of a wallet. */
export const userMetadata = withText('user_meta');
/** Of a referrer and a reserve. */
export const referrerTokenState = withText('referrer_acc');
/** Of a reserve, or in early deployments of a market and a mint. */
export const reserveAccounts = {
  liquiditySupply: withText('reserve_liq_supply'),
  feeReceiver: withText('fee_receiver'),
  collateralMint: withText('reserve_coll_mint'),
  collateralSupply: withText('reserve_coll_supply'),
};

/** Of a vault, except for the last two, which a program has once. */
export const vaultAccounts = {
  authority: withText('authority'),
  tokenVault: withText('token_vault'),
  sharesMint: withText('shares'),
  /** Of a vault and a reserve. */
  ctokenVault: withText('ctoken_vault'),
  globalConfig: withText('global_config'),
  eventAuthority: withText('__event_authority'),
};

const ofFarm =
  (text: string) =>
  (...addresses: readonly string[]): string =>
    deriveProgramAddress(FARMS_PROGRAM, [{ text }, ...addresses]);

export const farmAccounts = {
  /** Of a farm and the wallet, loan or delegatee that has the stake. */
  userState: ofFarm('user'),
  /** Of a farm and the staked mint. */
  vault: ofFarm('fvault'),
  authority: ofFarm('authority'),
  /** Of a farm and a reward mint. */
  rewardVault: ofFarm('rvault'),
  /** Of the global config of the farms and a reward mint. */
  treasuryVault: ofFarm('tvault'),
  /** Of a vault, its farm and the wallet; or of a reserve, a vault and the wallet. */
  delegatee: (...addresses: readonly string[]): string =>
    deriveProgramAddress(FARMS_PROGRAM, addresses),
};
