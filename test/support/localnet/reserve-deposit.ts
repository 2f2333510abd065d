import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { depositReserveLiquidity } from '#core/protocol/klend/instructions/deposits.ts';
import { refreshReserve } from '#core/protocol/klend/instructions/refresh.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/associated-token.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';

type Deposit = {
  readonly owner: Address;
  readonly address: Address;
  readonly reserve: Reserve;
  /** In base units. */
  readonly amount: bigint;
};

/** Lends tokens to a reserve for its cTokens, after refreshing it. */
export function reserveDeposit({ owner, address, reserve, amount }: Deposit): Instruction[] {
  const { lendingMarket, liquidity, collateral } = reserve;
  const { mintPubkey: mint, supplyVault, tokenProgram } = liquidity;
  const { mintPubkey: collateralMint } = collateral;
  const collateralAccount = associatedTokenAddress(owner, collateralMint, TOKEN_PROGRAM);
  return [
    createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
      accounts: {
        payer: owner,
        ata: collateralAccount,
        owner,
        mint: collateralMint,
        systemProgram: SYSTEM_PROGRAM,
        tokenProgram: TOKEN_PROGRAM,
      },
      args: {},
    }),
    refreshReserve.build(KLEND_PROGRAM, {
      accounts: {
        reserve: address,
        lendingMarket,
        pythOracle: undefined,
        switchboardPriceOracle: undefined,
        switchboardTwapOracle: undefined,
        scopePrices: reserve.config.tokenInfo.scopeConfiguration.priceFeed,
      },
      args: {},
    }),
    depositReserveLiquidity.build(KLEND_PROGRAM, {
      accounts: {
        owner,
        reserve: address,
        lendingMarket,
        lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
        reserveLiquidityMint: mint,
        reserveLiquiditySupply: supplyVault,
        reserveCollateralMint: collateralMint,
        userSourceLiquidity: associatedTokenAddress(owner, mint, tokenProgram),
        userDestinationCollateral: collateralAccount,
        collateralTokenProgram: TOKEN_PROGRAM,
        liquidityTokenProgram: tokenProgram,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      },
      args: { liquidityAmount: toLamports(amount) },
    }),
  ];
}
