import { type Address, addressToBytes } from '#core/base/encoding/address.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { findAccount, withAccounts } from './edit-account.ts';
import { MAIN_USDC_RESERVE } from './recorded-addresses.ts';
import { rentExemptLamports } from './recorded-set.ts';
import { completeCluster } from './scenarios.ts';

const USDC_DECIMALS = 6;

/** The recorded USDC reserve of the main market. */
export const recordedUsdcReserve = (): Reserve =>
  reserve.decode(findAccount(completeCluster(), MAIN_USDC_RESERVE));

/**
 * The recorded cluster, and what a deposit into the USDC reserve needs besides: mints and vaults, which are not recorded.
 * Their amounts are those that the recorded reserve states.
 */
export function forkableCluster(): KeyedAccount[] {
  const { lendingMarket, liquidity, collateral } = recordedUsdcReserve();
  const authority = lendingMarketAuthority(lendingMarket);
  return withAccounts(
    completeCluster(),
    mintAccount(liquidity.mintPubkey, { authority, supply: 10n ** 16n }),
    mintAccount(collateral.mintPubkey, { authority, supply: collateral.mintTotalSupply }),
    vaultAccount(liquidity.supplyVault, {
      mint: liquidity.mintPubkey,
      owner: authority,
      amount: liquidity.totalAvailableAmount,
    }),
  );
}

/** 82 bytes: authority, supply, decimals, initialized, no freeze authority. */
function mintAccount(
  address: Address,
  { authority, supply }: { readonly authority: Address; readonly supply: bigint },
): KeyedAccount {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(1, 0);
  data.set(addressToBytes(authority), 4);
  data.writeBigUInt64LE(supply, 36);
  data[44] = USDC_DECIMALS;
  data[45] = 1;
  return tokenProgramAccount(address, data);
}

type Vault = { readonly mint: Address; readonly owner: Address; readonly amount: bigint };

/** 165 bytes: mint, owner, amount, and the state at 108. */
function vaultAccount(address: Address, { mint, owner, amount }: Vault): KeyedAccount {
  const data = Buffer.alloc(165);
  data.set(addressToBytes(mint), 0);
  data.set(addressToBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return tokenProgramAccount(address, data);
}

const tokenProgramAccount = (address: Address, data: Buffer): KeyedAccount => ({
  address,
  account: {
    owner: TOKEN_PROGRAM,
    lamports: rentExemptLamports(data.length),
    data: Uint8Array.from(data),
  },
});
