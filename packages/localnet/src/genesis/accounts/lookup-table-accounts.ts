import { type Address, type ChainTime, ZERO_ADDRESS } from '@tidegate/core/base';
import { FARMS_PROGRAM, farmVaultsAuthority } from '@tidegate/core/protocol/farms';
import { KLEND_PROGRAM, lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import {
  eventAuthority,
  globalConfigAddress,
  KVAULT_PROGRAM,
} from '@tidegate/core/protocol/kvault';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  lookupTableAddress,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import { addressLookupTable, NOT_DEACTIVATED } from '@tidegate/core/protocol/spl/layout';

/** Address of a table that `authority` created at that time. */
export const genesisTableAddress = (authority: Address, { slot }: ChainTime): Address =>
  lookupTableAddress(authority, slot).address;

/** Contains each address once, in the given order. */
export function encodeLookupTable(
  authority: Address,
  addresses: readonly Address[],
  { slot }: ChainTime,
): Uint8Array {
  return addressLookupTable.encode({
    discriminator: 1,
    deactivationSlot: NOT_DEACTIVATED,
    lastExtendedSlot: slot,
    lastExtendedSlotStartIndex: 0,
    authorityTag: 1,
    authority,
    padding: 0,
    addresses: [...new Set(addresses)],
  });
}

type Reserves = ReadonlyMap<Address, Reserve>;

/** Accounts that instructions on a market use, without user accounts. */
export function marketLookupAddresses(market: Address, reserves: Reserves): readonly Address[] {
  const marketReserves = [...reserves].filter(([, { lendingMarket }]) => lendingMarket === market);
  return [
    KLEND_PROGRAM,
    FARMS_PROGRAM,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    SYSTEM_PROGRAM,
    INSTRUCTIONS_SYSVAR,
    market,
    lendingMarketAuthority(market),
    ...marketReserves.flatMap(([address, reserve]) => reserveAccounts(address, reserve)),
  ];
}

/** Accounts that vault deposits and withdrawals use. */
export function vaultLookupAddresses(
  address: Address,
  vault: VaultState,
  reserves: Reserves,
): readonly Address[] {
  const allocations = vault.vaultAllocationStrategy.filter(({ reserve }) => reserves.has(reserve));
  return [
    address,
    vault.vaultAdminAuthority,
    vault.baseVaultAuthority,
    vault.tokenMint,
    vault.tokenVault,
    vault.sharesMint,
    vault.tokenProgram,
    KVAULT_PROGRAM,
    KLEND_PROGRAM,
    globalConfigAddress(),
    eventAuthority(),
    ...farmAccounts(vault.vaultFarm),
    ...allocations.flatMap(({ reserve: reserveAddress, ctokenVault }) => {
      const reserve = reserves.get(reserveAddress);
      if (reserve === undefined) return [];
      const { lendingMarket } = reserve;
      const market = [lendingMarket, lendingMarketAuthority(lendingMarket)];
      return [...market, ctokenVault, ...reserveAccounts(reserveAddress, reserve)];
    }),
  ];
}

function reserveAccounts(address: Address, reserve: Reserve): readonly Address[] {
  const { liquidity, collateral, farmCollateral, farmDebt, config } = reserve;
  return [
    address,
    liquidity.mintPubkey,
    liquidity.supplyVault,
    liquidity.feeVault,
    collateral.mintPubkey,
    collateral.supplyVault,
    config.tokenInfo.scopeConfiguration.priceFeed,
    ...farmAccounts(farmCollateral),
    ...farmAccounts(farmDebt),
  ];
}

const farmAccounts = (farm: Address): readonly Address[] =>
  farm === ZERO_ADDRESS ? [] : [farm, farmVaultsAuthority(farm)];
