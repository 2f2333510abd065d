import { expect, test } from 'vitest';
import { decodedGenesis, GENESIS_AT } from '../../../test/support/decoded-genesis.ts';
import { type Address, ZERO_ADDRESS } from '../../base/address.ts';
import { treasuryVault, treasuryVaultsAuthority } from '../../protocol/farms/pda.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';

const world = decodedGenesis('sums');
const { reserves, obligations, vaults, farms, farmUsers, tokenAccounts, mints } = world;

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((a, b) => a + b, 0n);

const balance = (address: Address): bigint => {
  const account = tokenAccounts.get(address);
  if (account === undefined) throw new Error(`no token account ${address}`);
  return account.amount;
};

const held = (mint: Address): bigint =>
  sum([...tokenAccounts.values()].filter((account) => account.mint === mint).map((a) => a.amount));

const supply = (mint: Address): bigint | undefined => mints.get(mint)?.supply;

const deposits = [...obligations].flatMap(([obligation, { owner, elevationGroup, ...rest }]) =>
  rest.deposits
    .filter(({ depositReserve }) => depositReserve !== ZERO_ADDRESS)
    .map((deposit) => ({ obligation, owner, elevationGroup, ...deposit })),
);

const borrows = [...obligations].flatMap(([obligation, { owner, elevationGroup, ...rest }]) =>
  rest.borrows
    .filter(({ borrowReserve }) => borrowReserve !== ZERO_ADDRESS)
    .map((borrow) => ({ obligation, owner, elevationGroup, ...borrow })),
);

type Place = { readonly farm: Address | undefined; readonly delegatee: Address };

const ceil = (sf: bigint): bigint => -(-sf >> 60n);

test('a reserve says it has what its vault has', () => {
  for (const { liquidity } of reserves.values()) {
    expect(liquidity.totalAvailableAmount).toBe(balance(liquidity.supplyVault));
  }
});

test('cTokens are in obligations and vaults, and the reserve counts as many as there are', () => {
  for (const [address, { collateral }] of reserves) {
    const deposited = deposits.filter(({ depositReserve }) => depositReserve === address);
    const lent = [...vaults.values()].flatMap(({ vaultAllocationStrategy }) =>
      vaultAllocationStrategy.filter(({ reserve }) => reserve === address),
    );
    const inLoans = sum(deposited.map(({ depositedAmount }) => depositedAmount));
    const inVaults = sum(lent.map(({ ctokenAllocation }) => ctokenAllocation));
    expect(balance(collateral.supplyVault)).toBe(inLoans);
    expect(collateral.mintTotalSupply).toBe(inLoans + inVaults);
    expect(supply(collateral.mintPubkey)).toBe(collateral.mintTotalSupply);
    expect(held(collateral.mintPubkey)).toBe(collateral.mintTotalSupply);
  }
});

test('the debt of a reserve is the sum of its loans at one rate, to the last bit', () => {
  for (const [address, { liquidity }] of reserves) {
    const own = borrows.filter(({ borrowReserve }) => borrowReserve === address);
    expect(liquidity.borrowedAmountSf).toBe(sum(own.map((borrow) => borrow.borrowedAmountSf)));
    for (const { cumulativeBorrowRateBsf } of own) {
      expect(cumulativeBorrowRateBsf.value).toBe(liquidity.cumulativeBorrowRateBsf.value);
    }
  }
});

test('debts outside of elevation groups are counted, each rounded up', () => {
  for (const [address, reserve] of reserves) {
    const outside = borrows.filter(
      (borrow) => borrow.borrowReserve === address && borrow.elevationGroup === 0,
    );
    const counted = sum(outside.map(({ borrowedAmountSf }) => ceil(borrowedAmountSf)));
    expect(reserve.borrowedAmountOutsideElevationGroup).toBe(counted);
    for (const { borrowedAmountSf, borrowedAmountOutsideElevationGroups } of outside) {
      expect(borrowedAmountOutsideElevationGroups).toBe(ceil(borrowedAmountSf));
    }
  }
});

test('debts inside of elevation groups are counted against each deposit that backs them', () => {
  for (const [address, reserve] of reserves) {
    reserve.borrowedAmountsAgainstThisReserveInElevationGroups.forEach((counted, i) => {
      const backing = deposits.filter(
        (deposit) => deposit.depositReserve === address && deposit.elevationGroup === i + 1,
      );
      const debts = backing.map(({ obligation }) =>
        sum(
          borrows.filter((b) => b.obligation === obligation).map((b) => ceil(b.borrowedAmountSf)),
        ),
      );
      expect(counted).toBe(sum(debts));
      expect(
        backing.map((deposit) => deposit.borrowedAmountAgainstThisCollateralInElevationGroup),
      ).toEqual(debts);
    });
  }
});

test('shares are with their holders and in the farm, as many as the vault issued', () => {
  for (const { sharesIssued, sharesMint, vaultFarm } of vaults.values()) {
    expect(supply(sharesMint)).toBe(sharesIssued);
    expect(held(sharesMint)).toBe(sharesIssued);
    const farm = farms.get(vaultFarm);
    if (vaultFarm === ZERO_ADDRESS) continue;
    expect(farm?.token.mint).toBe(sharesMint);
    expect(balance(farm?.farmVault ?? ZERO_ADDRESS)).toBe(farm?.totalStakedAmount);
  }
});

test('a vault says it has what its token accounts have', () => {
  for (const vault of vaults.values()) {
    const { rewardsAvailable } = vault.rewardInfo;
    const idle = vault.tokenAvailable + vault.availableCrankFunds + rewardsAvailable;
    expect(balance(vault.tokenVault)).toBe(idle);
    for (const { reserve, ctokenVault, ctokenAllocation } of vault.vaultAllocationStrategy) {
      if (reserve === ZERO_ADDRESS) expect(ctokenAllocation).toBe(0n);
      else expect(balance(ctokenVault)).toBe(ctokenAllocation);
    }
  }
});

test('the totals of a farm are the sums of its users', () => {
  for (const [address, farm] of farms) {
    const users = [...farmUsers.values()].filter(({ farmState }) => farmState === address);
    const active = sum(users.map(({ activeStakeScaled }) => activeStakeScaled));
    const isDelegated = farm.delegateAuthority !== ZERO_ADDRESS;
    expect(farm.totalActiveStakeScaled).toBe(active);
    expect(farm.totalStakedAmount).toBe(isDelegated ? active : active / 10n ** 18n);
    expect(farm.totalPendingStakeScaled).toBe(0n);
    expect(farm.numUsers).toBe(BigInt(users.length));
    expect(users.map(({ userId }) => userId)).toEqual(users.map((_, i) => BigInt(i)));
  }
});

test('rewards not yet claimed lie in the vault of the reward, and users claim no more than was issued', () => {
  for (const [address, farm] of farms) {
    const users = [...farmUsers.values()].filter(({ farmState }) => farmState === address);
    farm.rewardInfos.slice(0, Number(farm.numRewardTokens)).forEach((reward, i) => {
      const owed = reward.rewardsAvailable + reward.rewardsIssuedUnclaimed;
      const counted = sum(users.map((user) => user.rewardsIssuedUnclaimed[i] ?? 0n));
      expect(balance(reward.rewardsVault)).toBe(owed);
      expect(counted).toBeLessThanOrEqual(reward.rewardsIssuedUnclaimed);
      expect(reward.rewardsIssuedCumulative).toBeGreaterThan(0n);
    });
  }
});

test('every reward has a treasury, without which nobody could harvest it', () => {
  for (const { globalConfig, rewardInfos, numRewardTokens } of farms.values()) {
    for (const { token } of rewardInfos.slice(0, Number(numRewardTokens))) {
      const treasury = tokenAccounts.get(treasuryVault(globalConfig, token.mint));
      expect(treasury?.mint).toBe(token.mint);
      expect(treasury?.owner).toBe(treasuryVaultsAuthority(globalConfig));
    }
  }
});

test('stakes in the farms of reserves are the positions: cTokens, and debts rounded down', () => {
  const positions = [
    ...deposits.map((deposit) => ({
      farm: reserves.get(deposit.depositReserve)?.farmCollateral,
      delegatee: deposit.obligation,
      owner: deposit.owner,
      stake: deposit.depositedAmount,
    })),
    ...borrows.map((borrow) => ({
      farm: reserves.get(borrow.borrowReserve)?.farmDebt,
      delegatee: borrow.obligation,
      owner: borrow.owner,
      stake: borrow.borrowedAmountSf >> 60n,
    })),
  ].filter(({ farm }) => farm !== ZERO_ADDRESS);
  const stakes = [...farmUsers.values()]
    .filter(({ isFarmDelegated }) => isFarmDelegated === 1)
    .map(({ farmState: farm, delegatee, owner, activeStakeScaled: stake }) => ({
      farm,
      delegatee,
      owner,
      stake,
    }));
  const byPlace = (a: Place, b: Place): number =>
    `${a.farm}${a.delegatee}` < `${b.farm}${b.delegatee}` ? -1 : 1;
  expect(stakes.length).toBeGreaterThan(30);
  expect(stakes.toSorted(byPlace)).toEqual(positions.toSorted(byPlace));
});

test('the supply of a mint is what its accounts hold; wrapped SOL has none and lies beside the rent', () => {
  for (const [address, mint] of mints) {
    if (address === WRAPPED_SOL_MINT) expect(mint.supply).toBe(0n);
    else expect(mint.supply).toBe(held(address));
  }
  for (const [address, { mint, amount, isNative, isNativeTag }] of tokenAccounts) {
    const isWrapped = mint === WRAPPED_SOL_MINT;
    expect(isNativeTag).toBe(isWrapped ? 1 : 0);
    expect(isNative).toBe(isWrapped ? 2_039_280n : 0n);
    if (isWrapped) expect(world.accounts.get(address)?.lamports).toBe(2_039_280n + amount);
  }
});

test('every account can pay its rent', () => {
  for (const { lamports, data } of world.accounts.values()) {
    expect(lamports).toBeGreaterThanOrEqual(BigInt(128 + data.length) * 6960n);
  }
});

test('reserves and loans are refreshed in the first slot with every price check passed', () => {
  for (const { lastUpdate } of [...reserves.values(), ...obligations.values()]) {
    expect(lastUpdate).toMatchObject({ slot: GENESIS_AT.slot, stale: 0, priceStatus: 63 });
  }
});
