import type { Address, Instruction, Lamports } from '@tidegate/core/base';
import {
  depositReserveLiquidity,
  redeemReserveCollateral,
} from '@tidegate/core/protocol/klend/instructions';
import { baseVaultAuthority } from '@tidegate/core/protocol/kvault';
import type { InvokeContext } from '../../runtime/program.ts';

/** Accounts of a call to the lending program, with the vault program's names. */
export type ReserveCpiAccounts = {
  readonly vaultState: Address;
  readonly baseVaultAuthority: Address;
  readonly tokenVault: Address;
  readonly tokenMint: Address;
  readonly ctokenVault: Address;
  readonly reserve: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserveLiquiditySupply: Address;
  readonly reserveCollateralMint: Address;
  readonly klendProgram: Address;
  readonly reserveCollateralTokenProgram: Address;
  readonly tokenProgram: Address;
  readonly instructionSysvarAccount: Address;
};

export function depositToReserve(
  call: InvokeContext,
  accounts: ReserveCpiAccounts,
  { liquidityAmount, dataSize }: CallSize & { readonly liquidityAmount: Lamports },
): void {
  const instruction = depositReserveLiquidity.build(accounts.klendProgram, {
    accounts: {
      ...sharedAccounts(accounts),
      userSourceLiquidity: accounts.tokenVault,
      userDestinationCollateral: accounts.ctokenVault,
    },
    args: { liquidityAmount },
  });
  callLending(call, accounts, padded(instruction, dataSize));
}

export function redeemFromReserve(
  call: InvokeContext,
  accounts: ReserveCpiAccounts,
  { collateralAmount, dataSize }: CallSize & { readonly collateralAmount: bigint },
): void {
  const instruction = redeemReserveCollateral.build(accounts.klendProgram, {
    accounts: {
      ...sharedAccounts(accounts),
      userSourceCollateral: accounts.ctokenVault,
      userDestinationLiquidity: accounts.tokenVault,
    },
    args: { collateralAmount },
  });
  callLending(call, accounts, padded(instruction, dataSize));
}

const sharedAccounts = (accounts: ReserveCpiAccounts) => ({
  owner: accounts.baseVaultAuthority,
  reserve: accounts.reserve,
  lendingMarket: accounts.lendingMarket,
  lendingMarketAuthority: accounts.lendingMarketAuthority,
  reserveLiquidityMint: accounts.tokenMint,
  reserveLiquiditySupply: accounts.reserveLiquiditySupply,
  reserveCollateralMint: accounts.reserveCollateralMint,
  collateralTokenProgram: accounts.reserveCollateralTokenProgram,
  liquidityTokenProgram: accounts.tokenProgram,
  instructionSysvarAccount: accounts.instructionSysvarAccount,
});

/** The vault program sends a buffer of this size, padded with zeros. Payouts always have this one. */
const PAYOUT_DATA_SIZE = 40;

type CallSize = { readonly dataSize?: number };

function padded(instruction: Instruction, size = PAYOUT_DATA_SIZE): Instruction {
  const data = new Uint8Array(size);
  data.set(instruction.data);
  return { ...instruction, data };
}

function callLending(
  call: InvokeContext,
  { vaultState }: ReserveCpiAccounts,
  instruction: Instruction,
): void {
  call.invoke(instruction, [baseVaultAuthority(vaultState, call.program)]);
}
