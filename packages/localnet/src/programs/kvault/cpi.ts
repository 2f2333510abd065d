import type { Address, Instruction, Lamports } from '@tidegate/core/base';
import {
  depositReserveLiquidity,
  redeemReserveCollateral,
} from '@tidegate/core/protocol/klend/instructions';
import { baseVaultAuthority, kvaultRejection } from '@tidegate/core/protocol/kvault';
import { burn, mintTo, transferChecked } from '@tidegate/core/protocol/spl/instructions';
import type { InvokeContext } from '../../runtime/program.ts';
import { tokenAmountOf } from './account-checks.ts';

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

type VaultTransfer = {
  readonly tokenProgram: Address;
  readonly source: Address;
  readonly mint: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
  readonly decimals: number;
};

/** From an account whose owner has signed. */
export function transferFromUser(
  call: InvokeContext,
  { tokenProgram, amount, decimals, ...accounts }: VaultTransfer,
) {
  call.invoke(transferChecked.build(tokenProgram, { accounts, args: { amount, decimals } }));
}

/** From an account of the vault. Skips a zero amount. */
export function transferFromVault(
  call: InvokeContext,
  vault: Address,
  { tokenProgram, amount, decimals, ...accounts }: VaultTransfer,
): void {
  call.log(`Sending back to user ${amount}`);
  if (amount === 0n) return;
  const instruction = transferChecked.build(tokenProgram, { accounts, args: { amount, decimals } });
  call.invoke(instruction, [baseVaultAuthority(vault, call.program)]);
}

type ShareAccounts = {
  readonly vaultState: Address;
  readonly baseVaultAuthority: Address;
  readonly sharesMint: Address;
  readonly sharesTokenProgram: Address;
  readonly user: Address;
};

export function mintShares(
  call: InvokeContext,
  accounts: ShareAccounts,
  { account, amount }: { readonly account: Address; readonly amount: bigint },
): void {
  const { vaultState, sharesMint: mint, baseVaultAuthority: mintAuthority } = accounts;
  const minted = { accounts: { mint, account, mintAuthority }, args: { amount } };
  const signer = baseVaultAuthority(vaultState, call.program);
  call.invoke(mintTo.build(accounts.sharesTokenProgram, minted), [signer]);
}

export function burnShares(
  call: InvokeContext,
  accounts: Omit<ShareAccounts, 'vaultState' | 'baseVaultAuthority'>,
  { account, amount }: { readonly account: Address; readonly amount: bigint },
): void {
  const { sharesMint: mint, user: authority } = accounts;
  const burned = { accounts: { account, mint, authority }, args: { amount } };
  call.invoke(burn.build(accounts.sharesTokenProgram, burned));
}

type ErrorName = Parameters<typeof kvaultRejection>[0];

/** The payout that an operation has computed. */
type VaultPayout = {
  readonly availableToSendToUser: bigint;
  readonly investedToDisinvestCtokens: bigint;
  readonly investedLiquidityToDisinvest: bigint;
  readonly investedLiquidityToSendToUser: bigint;
};

/** Token accounts that a payout moves. The last two exist only for a withdrawal from a reserve. */
type PayoutAccounts = {
  readonly receiver: Address;
  readonly tokenVault: Address;
  readonly ctokenVault?: Address;
  readonly reserveLiquiditySupply?: Address;
};

type PayoutBalances = {
  readonly receiver: bigint;
  readonly tokens: bigint;
  readonly ctokens: bigint;
  readonly supply: bigint;
};

export function payoutBalances(call: InvokeContext, accounts: PayoutAccounts): PayoutBalances {
  const { receiver, tokenVault, ctokenVault, reserveLiquiditySupply } = accounts;
  const reserveBalance = (address: Address | undefined) =>
    address === undefined ? 0n : tokenAmountOf(call, address);
  return {
    receiver: tokenAmountOf(call, receiver),
    tokens: tokenAmountOf(call, tokenVault),
    ctokens: reserveBalance(ctokenVault),
    supply: reserveBalance(reserveLiquiditySupply),
  };
}

/** Before the transfer: the lending program must have paid out the user's amount. */
export function requireDisinvested(
  received: bigint,
  { investedLiquidityToSendToUser }: VaultPayout,
): void {
  if (received >= investedLiquidityToSendToUser) return;
  const reason = `the reserve gave ${received} for ${investedLiquidityToSendToUser}`;
  throw kvaultRejection('NotEnoughLiquidityDisinvestedToSendToUser', reason);
}

/**
 * After the transfer: every balance must have changed as computed. `failAs`: one error for all
 * checks.
 */
export function checkPayout(
  payout: VaultPayout,
  [before, after]: readonly [PayoutBalances, PayoutBalances],
  failAs?: ErrorName,
): void {
  const sent = payout.availableToSendToUser + payout.investedLiquidityToSendToUser;
  const released = before.supply - after.supply;
  const checks: readonly (readonly [ErrorName, expected: bigint, found: bigint])[] = [
    ['AmountToWithdrawDoesNotMatch', sent, released + before.tokens - after.tokens],
    [
      'LiquidityToWithdrawDoesNotMatch',
      payout.investedToDisinvestCtokens,
      before.ctokens - after.ctokens,
    ],
    ['UserReceivedAmountDoesNotMatch', sent, after.receiver - before.receiver],
    ['DisinvestedLiquidityAmountDoesNotMatch', payout.investedLiquidityToDisinvest, released],
  ];
  for (const [name, expected, found] of checks) {
    if (found !== expected) {
      throw kvaultRejection(failAs ?? name, `${found} moved instead of ${expected}`);
    }
  }
}
