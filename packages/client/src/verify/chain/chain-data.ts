/**
 * Values that only the chain has. The verifier trusts them, so read them from a node that you trust (`readChainData`),
 * not from the server that built the transaction. Null means that the account has none.
 */
export type ChainData = {
  /** By address. The reserve of the request, and the reserves of the loan or of the vault. */
  readonly reserves?: Readonly<Record<string, ReserveData>>;
  readonly vault?: VaultData;
  /** Of the vault. */
  readonly shares?: ShareData;
  /** Null if the wallet has no loan yet. */
  readonly loan?: LoanData | null;
  /** By address. */
  readonly farms?: Readonly<Record<string, FarmData>>;
};

export type ReserveData = {
  /** The lending program that owns the account. */
  readonly program: string;
  readonly market: string;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly decimals: number;
  readonly supplyVault: string;
  readonly feeVault: string;
  readonly collateralMint: string;
  readonly collateralVault: string;
  readonly farmCollateral: string | null;
  readonly farmDebt: string | null;
  /** Pyth, Switchboard price, Switchboard TWAP, Scope. */
  readonly oracles: readonly (string | null)[];
  /** All cTokens, in smallest units. */
  readonly collateralSupply: string;
  /** The tokens that all cTokens are worth, in smallest units times 2^60. */
  readonly liquiditySupplySf: string;
  /** Dollars for a whole token, times 2^60, as of the last refresh. */
  readonly priceSf: string;
  /** What a debt counts for in the loan-to-value ratio, in percent. */
  readonly borrowFactorPct: string;
  /** What a borrow pays beside it, as a part of it, times 2^60. */
  readonly originationFeeSf: string;
  /** What a debt has grown to since the reserve began, times 2^60. */
  readonly cumulativeBorrowRateSf: string;
};

export type VaultData = {
  /** The vault program that owns the account. */
  readonly program: string;
  readonly tokenMint: string;
  readonly tokenProgram: string;
  readonly tokenDecimals: number;
  readonly sharesDecimals: number;
  readonly tokenVault: string;
  readonly sharesMint: string;
  readonly authority: string;
  readonly farm: string | null;
  /** Signs what users do with the vault, besides the wallet. */
  readonly permissioningAuthority: string | null;
  /** All shares, in smallest units. */
  readonly sharesIssued: string;
  /** Tokens that are not lent, in smallest units. */
  readonly tokenAvailable: string;
  /** Fees that are not paid yet, in smallest units times 2^60. */
  readonly pendingFeesSf: string;
  /** The most tokens that deposits may fill the vault with; 0 if there is no limit. */
  readonly depositCap: string;
  /** What a deposit pays for the later investment, in smallest units. */
  readonly crankFee: string;
  /** The fee of a withdrawal: basis points of its amount, and its minimum in smallest units. */
  readonly withdrawalPenaltyBps: string;
  readonly withdrawalPenaltyUnits: string;
  /** In the order of the vault. */
  readonly allocations: readonly VaultAllocationData[];
};

type VaultAllocationData = {
  readonly reserve: string;
  readonly ctokenVault: string;
  /** The vault's cTokens of the reserve, in smallest units. */
  readonly ctokens: string;
};

/** The wallet's shares, in smallest units; scaled ones are stake shares times 10^18. */
export type ShareData = {
  readonly inWallet: string;
  readonly stakedScaled: string;
  /** Unstaked, and not taken out of the farm yet. */
  readonly unstakedScaled: string;
};

export type LoanData = {
  /** The lending program that owns the account. */
  readonly program: string;
  readonly owner: string;
  readonly market: string;
  /** Reserves, in the order of the loan. */
  readonly deposits: readonly string[];
  readonly borrows: readonly string[];
  /** By reserve: deposited cTokens, in smallest units. */
  readonly depositedCtokens: Readonly<Record<string, string>>;
  /** By reserve. */
  readonly debts: Readonly<Record<string, DebtData>>;
  readonly referrer: string | null;
  readonly elevationGroup: number;
};

type DebtData = {
  /** In smallest units times 2^60, at the rate. */
  readonly borrowedSf: string;
  readonly cumulativeBorrowRateSf: string;
};

export type FarmData = {
  /** The farms program that owns the account. */
  readonly program: string;
  /** The staked token. */
  readonly mint: string;
  readonly tokenProgram: string;
  readonly globalConfig: string;
  readonly vault: string;
  readonly authority: string;
  readonly scopePrices: string | null;
  /** All stakes, in stake shares times 10^18 and in smallest units of the token. */
  readonly totalStakeScaled: string;
  readonly totalStaked: string;
  /** The same of what enters or leaves. */
  readonly pendingScaled: string;
  readonly pendingAmount: string;
  readonly rewards: readonly RewardData[];
};

export type RewardData = {
  readonly mint: string;
  readonly tokenProgram: string;
  readonly vault: string;
};
