import { type Static, Type } from 'typebox';

/** The fields of the API's answers that the tools use. */

const NullableText = Type.Union([Type.String(), Type.Null()]);

export const Tokens = Type.Array(
  Type.Object({
    mint: Type.String(),
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer(),
    verified: Type.Boolean(),
  }),
);
export type TokenRow = Static<typeof Tokens>[number];

export const Markets = Type.Array(
  Type.Object({
    lendingMarket: Type.String(),
    name: Type.String(),
    description: Type.Optional(NullableText),
    isPrimary: Type.Boolean(),
    isCurated: Type.Boolean(),
  }),
);
export type MarketRow = Static<typeof Markets>[number];

export const Reserves = Type.Array(
  Type.Object({
    reserve: Type.String(),
    liquidityToken: Type.String(),
    liquidityTokenMint: Type.String(),
    maxLtv: Type.String(),
    borrowApy: Type.String(),
    supplyApy: Type.String(),
    totalSupply: Type.String(),
    totalBorrow: Type.String(),
    totalSupplyUsd: Type.String(),
    totalBorrowUsd: Type.String(),
  }),
);
export type ReserveRow = Static<typeof Reserves>[number];

export const ReserveRewardRows = Type.Array(
  Type.Object({ reserve: Type.String(), rewardsApy: Type.String(), maxApr: Type.String() }),
);

export const ReserveAccounts = Type.Array(
  Type.Object({
    market: Type.String(),
    reserves: Type.Array(Type.Object({ pubkey: Type.String(), data: Type.String() })),
  }),
);

export const SlotDurationRow = Type.Object({ recentSlotDurationInMs: Type.Number() });

export const VaultAccount = Type.Object({
  address: Type.String(),
  state: Type.Object({
    name: Type.String(),
    tokenMint: Type.String(),
    tokenMintDecimals: Type.Integer(),
    sharesMint: Type.String(),
    sharesMintDecimals: Type.Integer(),
    performanceFeeBps: Type.Number(),
    managementFeeBps: Type.Number(),
    minDepositAmount: Type.String(),
    minWithdrawAmount: Type.String(),
    vaultFarm: Type.String(),
  }),
});
export const Vaults = Type.Array(VaultAccount);
export type VaultRow = Static<typeof VaultAccount>;

const vaultFigures = {
  apy: Type.String(),
  apyActual: Type.String(),
  apy7d: Type.String(),
  apy30d: Type.String(),
  apyFarmRewards: Type.String(),
  apyIncentives: Type.String(),
  apyReservesIncentives: Type.String(),
  tokenPrice: Type.String(),
  tokensAvailable: Type.String(),
  tokensAvailableUsd: Type.String(),
  tokensInvested: Type.String(),
  tokensInvestedUsd: Type.String(),
  tokensPerShare: Type.String(),
  sharePrice: Type.String(),
  sharesIssued: Type.String(),
  numberOfHolders: Type.Number(),
};
export const VaultFigures = Type.Object(vaultFigures);
export type VaultFiguresRow = Static<typeof VaultFigures>;

export const VaultFiguresPage = Type.Object({
  result: Type.Array(Type.Object({ kvault: Type.String(), ...vaultFigures })),
  paginationToken: NullableText,
});

export const AllocationsOfVault = Type.Object({
  allocations: Type.Array(
    Type.Object({
      reserve: Type.String(),
      market: Type.String(),
      marketName: Type.String(),
      symbol: Type.String(),
      targetWeightPct: Type.String(),
      actualPct: Type.String(),
      suppliedTokenAmount: Type.String(),
      suppliedUsd: Type.String(),
      supplyApy: Type.String(),
      rewardsApy: Type.String(),
    }),
  ),
  unallocated: Type.Object({ tokenAmount: Type.String(), pct: Type.String() }),
});

export const LoanRow = Type.Object({
  loanId: Type.String(),
  marketId: Type.String(),
  user: Type.String(),
  elevationGroup: Type.Number(),
  leverage: Type.Number(),
  loanInfo: Type.Object({
    collateral: Type.Object({
      deposits: Type.Array(
        Type.Object({
          tokenMint: Type.String(),
          tokenName: Type.String(),
          tokenAmount: Type.String(),
          tokenValue: Type.String(),
          maxLtv: Type.Number(),
          liquidationLtv: Type.Number(),
          maxWithdrawableAmount: Type.Number(),
          tokenPrice: Type.Number(),
        }),
      ),
    }),
    debt: Type.Object({
      borrows: Type.Array(
        Type.Object({
          tokenMint: Type.String(),
          tokenName: Type.String(),
          tokenAmount: Type.String(),
          tokenValue: Type.String(),
          maxBorrowableAmount: Type.Number(),
          tokenPrice: Type.Number(),
          borrowFactor: Type.Number(),
        }),
      ),
    }),
    currentLtv: Type.Number(),
    maxLtv: Type.Number(),
    liquidationLtv: Type.Number(),
    closeFactor: Type.Number(),
  }),
});
export type LoanFigures = Static<typeof LoanRow>;

export const LiquidationRows = Type.Object({
  isLiquidatable: Type.Boolean(),
  liquidations: Type.Array(
    Type.Object({
      repayToken: Type.String(),
      withdrawToken: Type.String(),
      reason: Type.String(),
      bonus: Type.String(),
      repayAmount: Type.String(),
      seizedAmount: Type.String(),
    }),
  ),
});
