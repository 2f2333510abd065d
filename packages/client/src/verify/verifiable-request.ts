import type { LoanSeeds } from './bytes/derived-addresses.ts';

type CommonFields = {
  /** Pays the fee, and is the only signer. */
  readonly wallet: string;
  readonly computeUnitLimit?: number | string | bigint;
  /** Micro-lamports per compute unit. */
  readonly computeUnitPrice?: number | string | bigint;
  /** The most that a priority fee may cost if the request has no `computeUnitPrice`. Defaults to 1,000,000. */
  readonly maxPriorityFeeLamports?: number | string | bigint;
  /**
   * Deployments of the programs. By default the owners of the accounts in the chain data, and without chain data those of
   * mainnet.
   */
  readonly programs?: { readonly klend?: string; readonly kvault?: string };
};

/** A loan that exists by its address, or any by its seeds. */
export type RequestedLoan = string | LoanSeeds;

type LendingFields = CommonFields & {
  readonly market: string;
  readonly reserve: string;
  /** In whole tokens. `U64::MAX` means everything; only for a repayment or withdrawal. */
  readonly amount: string;
  /** Decimals of the token. Needed unless the chain data has the reserve. */
  readonly decimals?: number;
  /** Defaults to the plain loan. */
  readonly loan?: RequestedLoan;
  /** The referrer of the loan, if it has one. Needed unless the chain data has the loan. */
  readonly referrer?: string;
};

type LtvLimit = {
  /**
   * The highest loan-to-value ratio that the loan may have afterwards, such as "0.75". Needed to withdraw while the chain
   * data has debts that the transaction does not repay; optional to borrow.
   */
  readonly maxLtv?: string | number;
};

export type LendingRequest =
  | (LendingFields & { readonly operation: 'lend-deposit' | 'buildLendDepositTx' })
  | (LendingFields & LtvLimit & { readonly operation: 'lend-borrow' | 'buildLendBorrowTx' })
  | (LendingFields & {
      readonly operation: 'lend-repay' | 'buildLendRepayTx';
      /** The most SOL that may be wrapped, in SOL: for a debt with a penalty for early repayment, or to repay everything. */
      readonly maxAmount?: string;
    })
  | (LendingFields & LtvLimit & { readonly operation: 'lend-withdraw' | 'buildLendWithdrawTx' });

export type LiquidationRequest = CommonFields & {
  readonly operation: 'lend-liquidate' | 'buildLiquidationTx';
  readonly market: string;
  /** Address of the loan, of any owner. */
  readonly loan: string;
  readonly repayReserve: string;
  readonly withdrawReserve: string;
  /** Of the debt, in whole tokens. `U64::MAX` means as much as the program allows. */
  readonly amount: string;
  /** Fewest tokens to receive, in whole tokens. Needs the chain data of the reserve. */
  readonly minReceivedAmount?: string;
  /** Decimals of the debt's token. Needed unless the chain data has the reserve. */
  readonly decimals?: number;
  /** The most SOL that may be wrapped, in SOL. */
  readonly maxAmount?: string;
};

export type VaultDepositRequest = CommonFields & {
  readonly operation: 'vault-deposit' | 'buildVaultDepositTx';
  readonly kvault: string;
  /** In whole tokens. */
  readonly amount: string;
  /** Decimals of the token. Needed unless the chain data has the vault. */
  readonly decimals?: number;
  /** The farm of the vault's shares. Needed to stake, unless the chain data has the vault. */
  readonly farm?: string;
  /** Whether the shares must be staked. Both are accepted by default. */
  readonly stake?: boolean;
  /** Whether the vault may take a part of the amount only, because of its deposit cap. */
  readonly mayBePartial?: boolean;
};

export type VaultWithdrawRequest = CommonFields & {
  readonly operation: 'vault-withdraw' | 'buildVaultWithdrawTx';
  readonly kvault: string;
  /** In whole shares. `U64::MAX` means everything. */
  readonly amount: string;
  /** Decimals of the shares. Needed unless the chain data has the vault. */
  readonly decimals?: number;
  /** The farm of the vault's shares. Needed to unstake, unless the chain data has the vault. */
  readonly farm?: string;
  /** What `amount` counts: shares to redeem, or tokens to receive at least, which needs `maxShares` and the chain data. */
  readonly unit?: 'shares' | 'tokens';
  /** The most shares that may be redeemed for the tokens, in whole shares. */
  readonly maxShares?: string;
  /** The fewest shares that must be redeemed, in whole shares. For a request that `mayBePartial`. */
  readonly minShares?: string;
  /** All shares of the wallet, staked ones too. If the request is for as many, it is for everything. */
  readonly totalShares?: string;
  /** Whether shares may be left that the vault cannot pay now. */
  readonly mayBePartial?: boolean;
};

export type ClaimRequest = CommonFields & {
  readonly operation: 'farm-claim' | 'buildFarmClaimTx';
  /** Either a vault or a market. */
  readonly kvault?: string;
  readonly market?: string;
  /** Only rewards of this reserve of the market. Needs the chain data of the reserve. */
  readonly reserve?: string;
  /** Defaults to the plain loan. */
  readonly loan?: RequestedLoan;
};

/** An instruction of the swap, in the form of the request body. Addresses of accounts are compared, roles as well. */
export type GivenInstruction = {
  readonly programAddress: string;
  readonly accounts: readonly {
    readonly address: string;
    readonly role: 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';
  }[];
  /** Base64. */
  readonly data: string | null;
};

type LeverageFields = CommonFields & {
  readonly market: string;
  readonly collateralReserve: string;
  readonly debtReserve: string;
  /** The swap that you gave. The verifier finds exactly its instructions; it does not judge them. */
  readonly swap: { readonly instructions: readonly GivenInstruction[] };
  /** Decimals of the tokens. Needed unless the chain data has the reserves. */
  readonly collateralDecimals?: number;
  readonly debtDecimals?: number;
  /** Defaults to the plain loan. */
  readonly loan?: RequestedLoan;
  /** The referrer of the loan, if it has one. Needed unless the chain data has the loan. */
  readonly referrer?: string;
};

/** Amounts in whole tokens. */
export type MultiplyRequest = LeverageFields &
  LtvLimit & {
    readonly operation: 'lend-multiply' | 'buildMultiplyTx';
    /** The kind of the loan if there is no `loan`: `vanilla` by default. Others need the chain data of the reserves. */
    readonly loanKind?: 'vanilla' | 'multiply' | 'leverage';
    /** Own collateral to deposit. None if absent. */
    readonly depositAmount?: string;
    readonly flashLoanAmount: string;
    readonly borrowAmount: string;
  };

/** Amounts in whole tokens. `U64::MAX` means everything. */
export type DeleverageRequest = LeverageFields &
  LtvLimit & {
    readonly operation: 'lend-deleverage' | 'buildDeleverageTx';
    readonly repayAmount: string;
    readonly withdrawAmount: string;
    /** The most debt that the flash loan may take: if everything is repaid, or with a penalty for early repayment. */
    readonly maxFlashLoanAmount?: string;
  };

export type LeverageRequest = MultiplyRequest | DeleverageRequest;

/** One transaction of the plan. What it leaves to the next one is not checked. */
export type LoanExitRequest = CommonFields &
  LtvLimit & {
    readonly operation: 'lend-exit' | 'planLoanExit';
    readonly market: string;
    /** Defaults to the plain loan. */
    readonly loan?: RequestedLoan;
    /** The referrer of the loan, if it has one. Needed unless the chain data has the loan. */
    readonly referrer?: string;
    /** The most SOL that may be wrapped to repay a debt, in SOL. */
    readonly maxAmount?: string;
  };

/** One transaction of the plan. What it leaves to the next one is not checked. */
export type VaultExitRequest = CommonFields & {
  readonly operation: 'vault-exit' | 'planVaultExit';
  readonly kvault: string;
  /** The farm of the vault's shares. Needed to unstake, unless the chain data has the vault. */
  readonly farm?: string;
  /** Whether shares may be left that the vault cannot pay now. */
  readonly mayBePartial?: boolean;
  /** The fewest shares that must be redeemed then, in whole shares. Needs the chain data of the vault. */
  readonly minShares?: string;
};

/** What was requested, with the fields of the request body and what the body does not say. */
export type VerifiableRequest =
  | LendingRequest
  | LiquidationRequest
  | LeverageRequest
  | LoanExitRequest
  | VaultExitRequest
  | VaultDepositRequest
  | VaultWithdrawRequest
  | ClaimRequest;

export const isClaimRequest = (request: VerifiableRequest): request is ClaimRequest =>
  request.operation === 'farm-claim' || request.operation === 'buildFarmClaimTx';

export const isVaultDepositRequest = (request: VerifiableRequest): request is VaultDepositRequest =>
  request.operation === 'vault-deposit' || request.operation === 'buildVaultDepositTx';

export const isVaultWithdrawRequest = (
  request: VerifiableRequest,
): request is VaultWithdrawRequest =>
  request.operation === 'vault-withdraw' || request.operation === 'buildVaultWithdrawTx';

export const isLiquidationRequest = (request: VerifiableRequest): request is LiquidationRequest =>
  request.operation === 'lend-liquidate' || request.operation === 'buildLiquidationTx';

const LEVERAGE_OPERATIONS: readonly string[] = [
  'lend-multiply',
  'buildMultiplyTx',
  'lend-deleverage',
  'buildDeleverageTx',
];

export const isLeverageRequest = (request: VerifiableRequest): request is LeverageRequest =>
  LEVERAGE_OPERATIONS.includes(request.operation);

export const isMultiplyRequest = (request: LeverageRequest): request is MultiplyRequest =>
  request.operation === 'lend-multiply' || request.operation === 'buildMultiplyTx';

export const isLoanExitRequest = (request: VerifiableRequest): request is LoanExitRequest =>
  request.operation === 'lend-exit' || request.operation === 'planLoanExit';

export const isVaultExitRequest = (request: VerifiableRequest): request is VaultExitRequest =>
  request.operation === 'vault-exit' || request.operation === 'planVaultExit';
