import { expect, test } from 'vitest';
import { type Address, addressToBytes, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import { isOnCurve } from '#core/base/solana/curve25519.ts';
import { findProgramAddress } from '#core/base/solana/pda.ts';
import { farms, klend, kvault, scope, spl } from '#core/protocol/index.ts';
import { decodedSimulation } from '../../../support/localnet/simulated-genesis.ts';

const genesis = decodedSimulation('addresses');
const { accounts, metadata, reserves, obligations, vaults, tokenAccounts } = genesis;

/** Matching account types. There must be one: every account can be decoded. */
const kinds = [
  ...Object.values(klend.accounts),
  ...Object.values(kvault.accounts),
  ...Object.values(farms.accounts),
  ...Object.values(scope.accounts),
  ...Object.values(spl.accounts),
].filter((kind) => typeof kind === 'object' && 'matches' in kind);

test('each account has exactly one type, or is a system account or a stake pool', () => {
  const pools = new Set(metadata.stakePools.values());
  for (const [address, account] of accounts) {
    const matching = kinds.filter((kind) => kind.matches(account)).map(({ name }) => name);
    if (address === CLOCK_SYSVAR) continue;
    const isSystem = account.owner === spl.SYSTEM_PROGRAM && account.data.length === 0;
    if (isSystem) expect(matching).toEqual([]);
    else if (pools.has(address))
      expect(spl.decodeStakePool(account).poolMint).not.toBe(ZERO_ADDRESS);
    else expect([address, matching.length, matching]).toEqual([address, 1, [matching[0]]]);
  }
});

test('accounts of reserves and markets have their derived addresses', () => {
  for (const [address, { liquidity, collateral, lendingMarket }] of reserves) {
    const expected = klend.addresses.reserveAddresses(address);
    expect(liquidity.supplyVault).toBe(expected.liquiditySupplyVault);
    expect(liquidity.feeVault).toBe(expected.liquidityFeeVault);
    expect(collateral.mintPubkey).toBe(expected.collateralMint);
    expect(collateral.supplyVault).toBe(expected.collateralSupplyVault);
    const authority = klend.addresses.lendingMarketAuthority(lendingMarket);
    for (const vault of [liquidity.supplyVault, liquidity.feeVault, collateral.supplyVault]) {
      expect(tokenAccounts.get(vault)?.owner).toBe(authority);
    }
    expect(genesis.mints.get(collateral.mintPubkey)?.mintAuthority).toBe(authority);
  }
});

test('a loan has the address of its owner, market, kind and tokens, and its owner has user metadata', () => {
  const mints = [...new Set([...reserves.values()].map(({ liquidity }) => liquidity.mintPubkey))];
  for (const [address, { owner, lendingMarket, tag }] of obligations) {
    const kinds = mints.flatMap((mint): klend.addresses.ObligationKind[] => {
      if (tag === 0n) return [{ kind: 'vanilla' as const }];
      if (tag === 2n) return [{ kind: 'lending' as const, mint }];
      const kind = tag === 1n ? ('multiply' as const) : ('leverage' as const);
      return mints.map((debtMint) => ({ kind, collateralMint: mint, debtMint }));
    });
    const allocations = kinds.map((kind) =>
      klend.addresses.obligationAddress({ ...kind, owner, lendingMarket }),
    );
    expect(allocations).toContain(address);
    const metadata = klend.addresses.userMetadataAddress(owner);
    expect(genesis.userMetadatas.get(metadata)?.owner).toBe(owner);
  }
});

test('accounts of vaults have their derived addresses', () => {
  for (const [address, vault] of vaults) {
    expect(vault.baseVaultAuthority).toBe(kvault.addresses.baseVaultAuthority(address));
    expect(vault.tokenVault).toBe(kvault.addresses.tokenVault(address));
    expect(vault.sharesMint).toBe(kvault.addresses.sharesMint(address));
    expect(genesis.mints.get(vault.sharesMint)?.mintAuthority).toBe(vault.baseVaultAuthority);
    for (const { reserve, ctokenVault } of vault.vaultAllocationStrategy) {
      if (reserve === ZERO_ADDRESS) continue;
      expect(ctokenVault).toBe(kvault.addresses.ctokenVault(address, reserve));
      expect(tokenAccounts.get(ctokenVault)?.owner).toBe(vault.baseVaultAuthority);
      expect(tokenAccounts.get(ctokenVault)?.mint).toBe(
        reserves.get(reserve)?.collateral.mintPubkey,
      );
      expect(reserves.get(reserve)?.liquidity.mintPubkey).toBe(vault.tokenMint);
      const entry = kvault.addresses.reserveWhitelistEntryAddress(reserve);
      expect(genesis.whitelist.get(entry)?.reserve).toBe(reserve);
    }
  }
});

test('accounts of farms and stakes have their derived addresses', () => {
  for (const [address, farm] of genesis.farms) {
    const authority = farms.addresses.farmVaultsAuthority(address);
    const [reward] = farm.rewardInfos;
    const vault = farms.addresses.rewardVault(address, reward?.token.mint ?? ZERO_ADDRESS);
    expect(farm.farmVaultsAuthority).toBe(authority);
    expect(reward?.rewardsVault).toBe(vault);
    expect(tokenAccounts.get(vault)?.owner).toBe(authority);
    if (farm.delegateAuthority !== ZERO_ADDRESS) continue;
    expect(farm.farmVault).toBe(farms.addresses.farmVault(address, farm.token.mint));
  }
  for (const [address, { farmState, delegatee }] of genesis.farmUsers) {
    expect(address).toBe(farms.addresses.userStateAddress(farmState, delegatee));
  }
});

test('bumps belong to their addresses', () => {
  expect([...genesis.markets.values()].map(({ bumpSeed }) => bumpSeed)).toEqual(
    [...genesis.markets.keys()].map((market) => bumpOf('lma', [market], klend.KLEND_PROGRAM)),
  );
  for (const [address, vault] of vaults) {
    const bump = bumpOf('authority', [address], kvault.KVAULT_PROGRAM);
    expect(vault.baseVaultAuthorityBump).toBe(bump);
  }
  for (const { farmState, delegatee, bump } of genesis.farmUsers.values()) {
    expect(bump).toBe(bumpOf('user', [farmState, delegatee], farms.FARMS_PROGRAM));
  }
  for (const { owner, bump } of genesis.userMetadatas.values()) {
    expect(bump).toBe(bumpOf('user_meta', [owner], klend.KLEND_PROGRAM));
  }
});

test('wallets are valid keys and hold tokens in associated accounts', () => {
  const wallets = new Set(metadata.wallets);
  const owned = [...tokenAccounts].filter(([, { owner }]) => wallets.has(owner));
  expect(owned.length).toBeGreaterThan(200);
  for (const [address, { owner, mint }] of owned) {
    const program = accounts.get(mint)?.owner ?? ZERO_ADDRESS;
    expect(spl.associatedTokenAddress(owner, mint, program)).toBe(address);
  }
  for (const wallet of wallets) expect(isOnCurve(addressToBytes(wallet))).toBe(true);
});

test('the lookup table of a market has the accounts of all its reserves', () => {
  for (const { address, lookupTable } of metadata.markets) {
    const table = spl.accounts.addressLookupTable.decode(found(lookupTable));
    const ownReserves = [...reserves].filter(([, { lendingMarket }]) => lendingMarket === address);
    const needed = ownReserves.flatMap(
      ([reserve, { liquidity, collateral, farmCollateral, farmDebt }]) => [
        reserve,
        liquidity.mintPubkey,
        liquidity.supplyVault,
        liquidity.feeVault,
        collateral.mintPubkey,
        collateral.supplyVault,
        ...[farmCollateral, farmDebt].filter((farm) => farm !== ZERO_ADDRESS),
      ],
    );
    expect(table.addresses).toEqual(expect.arrayContaining([address, ...needed]));
    expect(new Set(table.addresses).size).toBe(table.addresses.length);
    expect(table.deactivationSlot).toBe(2n ** 64n - 1n);
    const derived = spl.lookupTableAddress(table.authority, table.lastExtendedSlot);
    expect(derived.address).toBe(lookupTable);
  }
  for (const { vaultLookupTable, sharesMint } of vaults.values()) {
    const { addresses } = spl.accounts.addressLookupTable.decode(found(vaultLookupTable));
    expect(addresses).toContain(sharesMint);
  }
});

function found(address: Address) {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return account;
}

function bumpOf(word: string, keys: readonly Address[], program: Address): bigint {
  const seeds = [new TextEncoder().encode(word), ...keys.map(addressToBytes)];
  return BigInt(findProgramAddress(seeds, program).bump);
}
