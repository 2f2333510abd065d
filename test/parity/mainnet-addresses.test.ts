import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { farmVault, farmVaultsAuthority, userStateAddress } from '#core/protocol/farms/pda.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import {
  legacyReserveAddresses,
  obligationAddress,
  reserveAddresses,
  userMetadataAddress,
} from '#core/protocol/klend/pda.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import {
  baseVaultAuthority,
  ctokenVault,
  sharesMint,
  tokenVault,
} from '#core/protocol/kvault/pda.ts';
import { mintsToScopeChains } from '#core/protocol/scope/layout/mints-to-scope-chains.ts';
import { mintsToScopeChainsAddress } from '#core/protocol/scope/pda.ts';
import { type MainnetAccount, mainnetAccounts } from '../support/mainnet/mainnet-fixtures.ts';

const recorded = (kind: string): MainnetAccount[] =>
  mainnetAccounts().filter((account) => account.kind === kind);

test('recorded reserves have addresses of the current or the legacy form', () => {
  const forms = recorded('klend-Reserve').map((account) => {
    const { lendingMarket, liquidity, collateral } = reserve.decode(account);
    const stored = {
      liquiditySupplyVault: liquidity.supplyVault,
      liquidityFeeVault: liquidity.feeVault,
      collateralMint: collateral.mintPubkey,
      collateralSupplyVault: collateral.supplyVault,
    };
    const early = legacyReserveAddresses(lendingMarket, liquidity.mintPubkey);
    if (early.collateralMint === stored.collateralMint) expect(early).toEqual(stored);
    else expect(reserveAddresses(account.address)).toEqual(stored);
    return early.collateralMint === stored.collateralMint ? 'early' : 'new';
  });
  expect(new Set(forms)).toEqual(new Set(['early', 'new']));
});

test('recorded vanilla obligations have the derived address', () => {
  const found = recorded('klend-Obligation').flatMap((account) => {
    const { tag, owner, lendingMarket } = obligation.decode(account);
    return tag === 0n ? [{ address: account.address, owner, lendingMarket }] : [];
  });
  expect(found.length).toBeGreaterThan(0);
  for (const { address, ...seeds } of found) {
    expect(obligationAddress({ kind: 'vanilla', ...seeds })).toBe(address);
  }
});

test('recorded user metadata has the derived address', () => {
  for (const account of recorded('klend-UserMetadata')) {
    expect(userMetadataAddress(userMetadata.decode(account).owner)).toBe(account.address);
  }
});

test('recorded vaults have the derived addresses', () => {
  for (const account of recorded('kvault-VaultState')) {
    const { address, owner: program } = account;
    const vault = vaultState.decode(account);
    expect(baseVaultAuthority(address, program)).toBe(vault.baseVaultAuthority);
    expect(tokenVault(address, program)).toBe(vault.tokenVault);
    expect(sharesMint(address, program)).toBe(vault.sharesMint);
    for (const { reserve, ctokenVault: stored } of vault.vaultAllocationStrategy) {
      if (reserve !== ZERO_ADDRESS) expect(ctokenVault(address, reserve, program)).toBe(stored);
    }
  }
});

test('recorded farms have the derived addresses', () => {
  for (const account of recorded('farms-FarmState')) {
    const farm = farmState.decode(account);
    expect(farmVaultsAuthority(account.address)).toBe(farm.farmVaultsAuthority);
    if (farm.isFarmDelegated !== 0) continue;
    expect(farmVault(account.address, farm.token.mint)).toBe(farm.farmVault);
  }
});

test('recorded user states have the derived address', () => {
  for (const account of recorded('farms-UserState')) {
    const { farmState: farm, delegatee } = userState.decode(account);
    expect(userStateAddress(farm, delegatee)).toBe(account.address);
  }
});

test('a recorded mint map has the derived address', () => {
  const maps = recorded('scope-MintsToScopeChains');
  expect(maps.length).toBeGreaterThan(0);
  for (const account of maps) {
    const { oraclePrices, seedPk, seedId } = mintsToScopeChains.decode(account);
    expect(mintsToScopeChainsAddress({ oraclePrices, seedPk, seedId })).toBe(account.address);
  }
});
