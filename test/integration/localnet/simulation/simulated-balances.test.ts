import { expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { treasuryVault, treasuryVaultsAuthority } from '#core/protocol/farms/pda.ts';
import { AccountIndex } from '../../../support/invariants/account-index.ts';
import { findViolations } from '../../../support/invariants/balance-invariants.ts';
import { decodedSimulation } from '../../../support/localnet/simulated-genesis.ts';

const genesis = decodedSimulation('sums');
const { reserves, obligations, farms, farmUsers, tokenAccounts } = genesis;

test('tokens, positions, vaults and farms add up after the simulation', () => {
  expect(findViolations(new AccountIndex(genesis.accounts))).toEqual([]);
});

test('every reward has a treasury, which harvesting requires', () => {
  for (const { globalConfig, rewardInfos, numRewardTokens } of farms.values()) {
    for (const { token } of rewardInfos.slice(0, Number(numRewardTokens))) {
      const treasury = tokenAccounts.get(treasuryVault(globalConfig, token.mint));
      expect(treasury?.mint).toBe(token.mint);
      expect(treasury?.owner).toBe(treasuryVaultsAuthority(globalConfig));
    }
  }
});

type Place = { readonly farm: Address | undefined; readonly delegatee: Address };

test('stakes in reserve farms equal the deposits, in cTokens', () => {
  const positions = [...obligations].flatMap(([delegatee, { owner, deposits }]) =>
    deposits
      .map(({ depositReserve, depositedAmount: stake }) => {
        return { farm: reserves.get(depositReserve)?.farmCollateral, delegatee, owner, stake };
      })
      .filter(({ farm }) => farm !== undefined && farm !== ZERO_ADDRESS),
  );
  const debtFarms = new Set([...reserves.values()].map(({ farmDebt }) => farmDebt));
  const stakes = [...farmUsers.values()]
    .filter(({ isFarmDelegated, farmState }) => isFarmDelegated === 1 && !debtFarms.has(farmState))
    .map(({ farmState: farm, delegatee, owner, activeStakeScaled: stake }) => {
      return { farm, delegatee, owner, stake };
    });
  const byPlace = (a: Place, b: Place): number =>
    `${a.farm}${a.delegatee}` < `${b.farm}${b.delegatee}` ? -1 : 1;
  expect(stakes.length).toBeGreaterThan(5);
  expect(stakes.toSorted(byPlace)).toEqual(positions.toSorted(byPlace));
});

test('every account is rent-exempt', () => {
  for (const { lamports, data } of genesis.accounts.values()) {
    expect(lamports).toBeGreaterThanOrEqual(BigInt(128 + data.length) * 6960n);
  }
});
