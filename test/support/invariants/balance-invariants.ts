import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { ReserveBalances, VaultBalances } from './account-balances.ts';
import type { AccountIndex } from './account-index.ts';

/** Collects what is not as it must be. */
type Claims = {
  equal(what: string, found: bigint, expected: bigint): void;
  holds(what: string, isTrue: boolean): void;
};

/** Everything that must be true of all accounts together, after whatever happened. Gives what is not. */
export function findViolations(book: AccountIndex): string[] {
  const wrong: string[] = [];
  const claims: Claims = {
    equal(what, found, expected) {
      if (found !== expected) wrong.push(`${what}: ${found} and not ${expected}`);
    },
    holds(what, isTrue) {
      if (!isTrue) wrong.push(what);
    },
  };
  checkTokens(book, claims);
  checkReserves(book, claims);
  checkVaults(book, claims);
  checkFarms(book, claims);
  return wrong;
}

/** Sums by key. */
class Sums<Key> {
  readonly #sums = new Map<Key, bigint>();

  add(key: Key, amount: bigint): void {
    if (amount !== 0n) this.#sums.set(key, this.of(key) + amount);
  }

  of(key: Key): bigint {
    return this.#sums.get(key) ?? 0n;
  }
}

/** The supply of a mint is what its accounts hold; wrapped SOL has none, and lies in lamports beside the rent. */
function checkTokens(book: AccountIndex, { equal, holds }: Claims): void {
  const held = new Sums<Address>();
  for (const [address, { mint, amount, isNative, rent }] of book.token) {
    held.add(mint, amount);
    holds(`${address} is native as its mint says`, isNative === (mint === WRAPPED_SOL_MINT));
    if (isNative) equal(`lamports of ${address}`, book.lamports(address), rent + amount);
  }
  for (const [mint, { supply }] of book.mint) {
    equal(`supply of ${mint}`, supply, mint === WRAPPED_SOL_MINT ? 0n : held.of(mint));
  }
}

/** One lamport for each time that a debt or the whole was rounded, which is far below one; 60 bits of a rate. */
const ROUNDED_LAMPORTS = 2n;

function checkReserves(book: AccountIndex, claims: Claims): void {
  const positions = sumPositions(book, claims);
  for (const [address, reserve] of book.reserve) {
    const { equal, holds } = claims;
    const of = (what: string): string => `${what} of reserve ${address}`;
    const { collateralMint, collateralVault, collateralSupply, liquidityVault } = reserve;
    const inVault = book.balance(liquidityVault) - reserve.keptApart;
    equal(of('liquidity'), reserve.available, inVault);
    equal(of('cTokens'), collateralSupply, book.mint.get(collateralMint)?.supply ?? 0n);
    equal(of('deposits'), positions.deposited.of(address), book.balance(collateralVault));
    equal(of('debts outside of groups'), reserve.borrowedOutside, positions.outside.of(address));
    equal(of('debts in groups'), sumOf(reserve.borrowedInGroups), positions.inGroups.of(address));
    const owed = positions.owed.of(address);
    const difference = reserve.borrowedSf - owed;
    const rounding = (ROUNDED_LAMPORTS << 60n) + (reserve.borrowedSf >> 50n);
    const isNear = difference <= rounding && difference >= -rounding;
    holds(`${of('debts')}: ${owed} and not about ${reserve.borrowedSf}`, isNear);
    holds(`${of('supply')} is ${reserve.supplySf}`, reserve.supplySf >= 0n);
  }
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** By reserve, of all obligations. Debts as they are at the rate that the reserve has. */
function sumPositions(book: AccountIndex, { holds }: Claims) {
  const [deposited, owed] = [new Sums<Address>(), new Sums<Address>()];
  const [outside, inGroups] = [new Sums<Address>(), new Sums<Address>()];
  for (const { deposits, borrows, hasDebt } of book.obligation.values()) {
    for (const { reserve, amount, debtInGroup } of deposits) {
      deposited.add(reserve, amount);
      inGroups.add(reserve, debtInGroup);
    }
    for (const { reserve, borrowedSf, rate, ...borrow } of borrows) {
      const now = book.reserve.get(reserve)?.rate ?? 0n;
      owed.add(reserve, now === rate ? borrowedSf : (borrowedSf * now) / rate);
      outside.add(reserve, borrow.outside);
      holds('a debt is of a rate that its reserve has had', rate <= now);
    }
    holds('an obligation knows whether it has debts', hasDebt === (borrows.length > 0 ? 1 : 0));
  }
  return { deposited, owed, outside, inGroups };
}

function checkVaults(book: AccountIndex, { equal, holds }: Claims): void {
  for (const [address, vault] of book.vault) {
    const of = (what: string): string => `${what} of vault ${address}`;
    const { sharesMint, sharesIssued, tokenVault, available, keptApart } = vault;
    equal(of('shares'), sharesIssued, book.mint.get(sharesMint)?.supply ?? 0n);
    equal(of('idle tokens'), available + keptApart, book.balance(tokenVault));
    for (const { ctokenVault, ctokens } of vault.allocations) {
      equal(of(`cTokens in ${ctokenVault}`), ctokens, book.balance(ctokenVault));
    }
    const netSf = netAssetsSf(vault, (reserve) => book.reserve.get(reserve));
    holds(`${of('net assets')} are ${netSf}`, sharesIssued === 0n ? netSf >= 0n : netSf > 0n);
  }
}

type ReserveOf = (reserve: Address) => ReserveBalances | undefined;

/** What the shares of a vault own: idle and lent tokens, less the fees that it owes. Rounded down to 60 bits each. */
export function netAssetsSf(vault: VaultBalances, reserveOf: ReserveOf): bigint {
  const lent = vault.allocations.reduce((sum, { reserve, ctokens }) => {
    const { supplySf = 0n, collateralSupply = 1n } = reserveOf(reserve) ?? {};
    return sum + (ctokens === 0n ? 0n : (ctokens * supplySf) / collateralSupply);
  }, 0n);
  return (vault.available << 60n) + lent - vault.pendingFeesSf;
}

const WAD = 10n ** 18n;

function checkFarms(book: AccountIndex, { equal, holds }: Claims): void {
  const active = new Sums<Address>();
  const pending = new Sums<Address>();
  const unclaimed = new Sums<string>();
  for (const user of book.farmUser.values()) {
    active.add(user.farm, user.active);
    pending.add(user.farm, user.pendingDeposit + user.pendingWithdrawal);
    for (const { claim, amount } of user.unclaimed) unclaimed.add(claim, amount);
  }
  for (const [address, farm] of book.farm) {
    const of = (what: string): string => `${what} of farm ${address}`;
    equal(of('stakes'), farm.totalActiveStakeScaled, active.of(address));
    equal(of('waiting stakes'), farm.totalPendingStakeScaled, pending.of(address));
    const shares = active.of(address) / (farm.isDelegated ? 1n : WAD);
    equal(of('staked amount'), farm.totalStakedAmount, shares);
    if (farm.farmVault !== ZERO_ADDRESS) {
      const staked = farm.totalStakedAmount + farm.totalPendingAmount;
      equal(of('staked tokens'), book.balance(farm.farmVault), staked);
    }
    farm.rewards.forEach(({ vault, available, unclaimed: owed }, i) => {
      equal(of(`rewards ${i}`), book.balance(vault), available + owed);
      holds(of(`claims on reward ${i}`), unclaimed.of(`${address}/${i}`) <= owed);
    });
  }
  checkLoanStakes(book, { equal, holds });
}

/** Stakes in the farms of reserves are the positions: cTokens, and debts as they were when they last changed. */
function checkLoanStakes(book: AccountIndex, { equal, holds }: Claims): void {
  for (const { farm, delegatee, active } of book.farmUser.values()) {
    if (book.farm.get(farm)?.isDelegated !== true) continue;
    const loan = book.obligation.get(delegatee);
    const farmOf = (reserve: Address) => book.reserve.get(reserve);
    const deposit = loan?.deposits.find((each) => farmOf(each.reserve)?.farmCollateral === farm);
    const borrow = loan?.borrows.find((each) => farmOf(each.reserve)?.farmDebt === farm);
    const isDebt = [...book.reserve.values()].some(({ farmDebt }) => farmDebt === farm);
    if (!isDebt) equal(`stake of ${delegatee} in ${farm}`, active, deposit?.amount ?? 0n);
    else holds(`stake of ${delegatee} in ${farm}`, active <= (borrow?.borrowedSf ?? 0n) >> 60n);
  }
}
