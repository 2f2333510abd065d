import { describe, expect, test } from 'vitest';
import { addressToBytes, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { findProgramAddress } from '#core/base/solana/pda.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import {
  farmVault,
  farmVaultsAuthority,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
  userStateAddress,
} from '#core/protocol/farms/pda.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import * as klend from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import * as kvault from '#core/protocol/kvault/pda.ts';
import { obligationKind, readGoldenClusterFile } from '../support/flows/flow-context.ts';
import { goldenCluster } from '../support/golden/golden.ts';
import { goldenReserveCount } from '../support/golden/golden-addresses.ts';

const cluster = readGoldenClusterFile();
const { accounts } = goldenCluster();
const all = [...accounts].map(([address, account]) => ({ address, account }));

describe('the golden cluster', () => {
  test.each(cluster.markets)('$name: derives the authority and the reserve accounts', (market) => {
    const address = toAddress(market.address);
    expect(klend.lendingMarketAuthority(address)).toBe(market.authority);
    const raw = accounts.get(address);
    const { bump } = findProgramAddress(
      [bytesFromText('lma'), addressToBytes(address)],
      KLEND_PROGRAM,
    );
    expect(raw && BigInt(bump)).toBe(raw && lendingMarket.decode(raw).bumpSeed);
    for (const [symbol, found] of Object.entries(market.reserves)) {
      const mint = toAddress(cluster.tokens[symbol]?.mint ?? '');
      expect(klend.legacyReserveAddresses(address, mint)).toEqual({
        liquiditySupplyVault: found.liquiditySupply,
        liquidityFeeVault: found.feeVault,
        collateralMint: found.collateralMint,
        collateralSupplyVault: found.collateralSupply,
      });
    }
  });

  test('every reserve has the derived addresses', () => {
    const reserves = all.filter(({ account }) => reserve.matches(account));
    expect(reserves).toHaveLength(goldenReserveCount());
    for (const { account } of reserves) {
      const { lendingMarket, liquidity, collateral } = reserve.decode(account);
      expect(klend.legacyReserveAddresses(lendingMarket, liquidity.mintPubkey)).toEqual({
        liquiditySupplyVault: liquidity.supplyVault,
        liquidityFeeVault: liquidity.feeVault,
        collateralMint: collateral.mintPubkey,
        collateralSupplyVault: collateral.supplyVault,
      });
    }
  });

  test('every obligation has the address derived from its owner, market and kind', () => {
    const known = cluster.users.flatMap(({ address, obligations }) =>
      obligations.map((of) => ({ owner: toAddress(address), ...of })),
    );
    for (const { owner, market, kind, address } of known) {
      const marketAddress = cluster.markets.find(({ name }) => name === market)?.address ?? '';
      const at = { owner, lendingMarket: toAddress(marketAddress), id: kind.id };
      expect(klend.obligationAddress({ ...obligationKind(kind), ...at })).toBe(address);
      expect(klend.OBLIGATION_TAGS[obligationKind(kind).kind]).toBe(kind.tag);
      expect(klend.obligationSeeds(obligationKind(kind))).toEqual({
        tag: kind.tag,
        seed1: kind.seed1 ?? ZERO_ADDRESS,
        seed2: kind.seed2 ?? ZERO_ADDRESS,
      });
    }
    const stored = all.filter(({ account }) => obligation.matches(account));
    expect(known.map(({ address }) => address).sort()).toEqual(
      stored.map(({ address }) => address).sort(),
    );
  });

  test('every user metadata has the address derived from its owner', () => {
    const found = all.filter(({ account }) => userMetadata.matches(account));
    expect(found.length).toBeGreaterThan(5);
    for (const { address, account } of found) {
      expect(klend.userMetadataAddress(userMetadata.decode(account).owner)).toBe(address);
    }
  });

  test.each(cluster.vaults)('vault $address has the derived addresses', (found) => {
    const address = toAddress(found.address);
    const raw = accounts.get(address);
    if (raw === undefined) throw new Error('the vault is missing');
    const vault = vaultState.decode(raw);
    const derived = [
      kvault.baseVaultAuthority(address),
      kvault.tokenVault(address),
      kvault.sharesMint(address),
    ];
    expect(derived).toEqual([vault.baseVaultAuthority, vault.tokenVault, vault.sharesMint]);
    expect(derived).toEqual([found.authority, found.tokenVault, found.sharesMint]);
    const used = vault.vaultAllocationStrategy.filter(({ reserve }) => reserve !== ZERO_ADDRESS);
    expect(used.map(({ reserve }) => kvault.ctokenVault(address, reserve))).toEqual(
      used.map(({ ctokenVault }) => ctokenVault),
    );
    expect(used.map(({ ctokenVault }) => ctokenVault)).toEqual(
      found.allocations.map(({ ctokenVault }) => ctokenVault),
    );
  });

  test('every farm has the derived vaults and authority', () => {
    const farms = all.filter(({ account }) => farmState.matches(account));
    expect(farms.length).toBeGreaterThan(2);
    for (const { address, account } of farms) {
      const {
        farmVaultsAuthority: authority,
        token,
        rewardInfos,
        ...farm
      } = farmState.decode(account);
      expect(farmVaultsAuthority(address)).toBe(authority);
      if (farm.isFarmDelegated === 0) expect(farmVault(address, token.mint)).toBe(farm.farmVault);
      for (const { token, rewardsVault } of rewardInfos.slice(0, Number(farm.numRewardTokens))) {
        expect(rewardVault(address, token.mint)).toBe(rewardsVault);
        expect(accounts.has(treasuryVault(farm.globalConfig, token.mint))).toBe(true);
      }
    }
  });

  test('every user state has the address derived from its farm and delegatee', () => {
    const found = all.filter(({ account }) => userState.matches(account));
    expect(found.length).toBeGreaterThan(5);
    for (const { address, account } of found) {
      const { farmState, delegatee } = userState.decode(account);
      expect(userStateAddress(farmState, delegatee)).toBe(address);
    }
  });

  test('the farms config has the derived treasury authority', () => {
    for (const { address, account } of all.filter(({ account }) => globalConfig.matches(account))) {
      const { treasuryVaultsAuthority: authority } = globalConfig.decode(account);
      expect(treasuryVaultsAuthority(address)).toBe(authority);
    }
  });
});
