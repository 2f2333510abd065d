import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { ReserveBalances, VaultBalances } from './account-balances.ts';
import type { AccountIndex } from './account-index.ts';

/** Records violated invariants. */
type Assertions = {
  equal(what: string, found: bigint, expected: bigint): void;
  holds(what: string, isTrue: boolean): void;
};

/** Invariants over all accounts together. Returns the violated ones. */
export function findViolations(index: AccountIndex): string[] {
  const violations: string[] = [];
  const assertions: Assertions = {
    equal(what, found, expected) {
      if (found !== expected) violations.push(`${what}: ${found}, expected ${expected}`);
    },
    holds(what, isTrue) {
      if (!isTrue) violations.push(what);
    },
  };
  checkTokens(index, assertions);
  checkReserves(index, assertions);
  checkVaults(index, assertions);
  checkFarms(index, assertions);
  return violations;
}

class Sums<Key> {
  readonly #sums = new Map<Key, bigint>();

  add(key: Key, amount: bigint): void {
    if (amount !== 0n) this.#sums.set(key, this.of(key) + amount);
  }

  of(key: Key): bigint {
    return this.#sums.get(key) ?? 0n;
  }
}

/**
 * A mint's supply equals its accounts' balances. Wrapped SOL has no supply; its lamports exceed the
 * rent.
 */
function checkTokens(index: AccountIndex, { equal, holds }: Assertions): void {
  const held = new Sums<Address>();
  for (const [address, { mint, amount, isNative, rent }] of index.token) {
    held.add(mint, amount);
    holds(`${address} is native if its mint is SOL`, isNative === (mint === WRAPPED_SOL_MINT));
    if (isNative) equal(`lamports of ${address}`, index.lamports(address), rent + amount);
  }
  for (const [mint, { supply }] of index.mint) {
    equal(`supply of ${mint}`, supply, mint === WRAPPED_SOL_MINT ? 0n : held.of(mint));
  }
}

/** Tolerance for rounded debts and totals, each far below one lamport; rates have 60 bits. */
const ROUNDED_LAMPORTS = 2n;

function checkReserves(index: AccountIndex, assertions: Assertions): void {
  const positions = sumPositions(index, assertions);
  for (const [address, reserve] of index.reserve) {
    const { equal, holds } = assertions;
    const label = (what: string): string => `${what} of reserve ${address}`;
    const { collateralMint, collateralVault, collateralSupply, liquidityVault } = reserve;
    const inVault = index.balance(liquidityVault) - reserve.setAside;
    equal(label('liquidity'), reserve.available, inVault);
    equal(label('cTokens'), collateralSupply, index.mint.get(collateralMint)?.supply ?? 0n);
    equal(label('deposits'), positions.deposited.of(address), index.balance(collateralVault));
    equal(label('debts outside of groups'), reserve.borrowedOutside, positions.outside.of(address));
    equal(
      label('debts in groups'),
      sumOf(reserve.borrowedInGroups),
      positions.inGroups.of(address),
    );
    const owed = positions.owed.of(address);
    const difference = reserve.borrowedSf - owed;
    const rounding = (ROUNDED_LAMPORTS << 60n) + (reserve.borrowedSf >> 50n);
    const isNear = difference <= rounding && difference >= -rounding;
    holds(`${label('debts')}: ${owed}, expected about ${reserve.borrowedSf}`, isNear);
    holds(`${label('supply')} is ${reserve.supplySf}`, reserve.supplySf >= 0n);
  }
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Sums over all obligations by reserve. Debts are at the reserve's current rate. */
function sumPositions(index: AccountIndex, { holds }: Assertions) {
  const [deposited, owed] = [new Sums<Address>(), new Sums<Address>()];
  const [outside, inGroups] = [new Sums<Address>(), new Sums<Address>()];
  for (const { deposits, borrows, hasDebt } of index.obligation.values()) {
    for (const { reserve, amount, debtInGroup } of deposits) {
      deposited.add(reserve, amount);
      inGroups.add(reserve, debtInGroup);
    }
    for (const { reserve, borrowedSf, rate, ...borrow } of borrows) {
      const now = index.reserve.get(reserve)?.rate ?? 0n;
      owed.add(reserve, now === rate ? borrowedSf : (borrowedSf * now) / rate);
      outside.add(reserve, borrow.outside);
      holds('the rate of a debt is not above the rate of its reserve', rate <= now);
    }
    holds('hasDebt says whether there are borrows', hasDebt === (borrows.length > 0 ? 1 : 0));
  }
  return { deposited, owed, outside, inGroups };
}

function checkVaults(index: AccountIndex, { equal, holds }: Assertions): void {
  for (const [address, vault] of index.vault) {
    const label = (what: string): string => `${what} of vault ${address}`;
    const { sharesMint, sharesIssued, tokenVault, available, setAside } = vault;
    equal(label('shares'), sharesIssued, index.mint.get(sharesMint)?.supply ?? 0n);
    equal(label('idle tokens'), available + setAside, index.balance(tokenVault));
    for (const { ctokenVault, ctokens } of vault.allocations) {
      equal(label(`cTokens in ${ctokenVault}`), ctokens, index.balance(ctokenVault));
    }
    const netSf = netAssetsSf(vault, (reserve) => index.reserve.get(reserve));
    holds(`${label('net assets')} are ${netSf}`, sharesIssued === 0n ? netSf >= 0n : netSf > 0n);
  }
}

type ReserveOf = (reserve: Address) => ReserveBalances | undefined;

/**
 * Net assets of a vault: idle and lent tokens, less pending fees. Each is rounded down to 60 bits.
 */
export function netAssetsSf(vault: VaultBalances, reserveOf: ReserveOf): bigint {
  const lent = vault.allocations.reduce((sum, { reserve, ctokens }) => {
    const { supplySf = 0n, collateralSupply = 1n } = reserveOf(reserve) ?? {};
    return sum + (ctokens === 0n ? 0n : (ctokens * supplySf) / collateralSupply);
  }, 0n);
  return (vault.available << 60n) + lent - vault.pendingFeesSf;
}

const WAD = 10n ** 18n;

function checkFarms(index: AccountIndex, { equal, holds }: Assertions): void {
  const active = new Sums<Address>();
  const pending = new Sums<Address>();
  const unclaimed = new Sums<string>();
  for (const user of index.farmUser.values()) {
    active.add(user.farm, user.active);
    pending.add(user.farm, user.pendingDeposit + user.pendingWithdrawal);
    for (const { claim, amount } of user.unclaimed) unclaimed.add(claim, amount);
  }
  for (const [address, farm] of index.farm) {
    const label = (what: string): string => `${what} of farm ${address}`;
    equal(label('stakes'), farm.totalActiveStakeScaled, active.of(address));
    equal(label('pending stakes'), farm.totalPendingStakeScaled, pending.of(address));
    const shares = active.of(address) / (farm.isDelegated ? 1n : WAD);
    equal(label('staked amount'), farm.totalStakedAmount, shares);
    if (farm.farmVault !== ZERO_ADDRESS) {
      const staked = farm.totalStakedAmount + farm.totalPendingAmount;
      equal(label('staked tokens'), index.balance(farm.farmVault), staked);
    }
    farm.rewards.forEach(({ vault, available, unclaimed: owed }, i) => {
      equal(label(`rewards ${i}`), index.balance(vault), available + owed);
      holds(label(`claims on reward ${i}`), unclaimed.of(`${address}/${i}`) <= owed);
    });
  }
  checkLoanStakes(index, { equal, holds });
}

/** A stake in a reserve's farm equals the position: cTokens, or the debt at its last change. */
function checkLoanStakes(index: AccountIndex, { equal, holds }: Assertions): void {
  for (const { farm, delegatee, active } of index.farmUser.values()) {
    if (index.farm.get(farm)?.isDelegated !== true) continue;
    const loan = index.obligation.get(delegatee);
    const reserveOf = (reserve: Address) => index.reserve.get(reserve);
    const deposit = loan?.deposits.find((each) => reserveOf(each.reserve)?.farmCollateral === farm);
    const borrow = loan?.borrows.find((each) => reserveOf(each.reserve)?.farmDebt === farm);
    const isDebt = [...index.reserve.values()].some(({ farmDebt }) => farmDebt === farm);
    if (!isDebt) equal(`stake of ${delegatee} in ${farm}`, active, deposit?.amount ?? 0n);
    else holds(`stake of ${delegatee} in ${farm}`, active <= (borrow?.borrowedSf ?? 0n) >> 60n);
  }
}
