import { describe, expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { klend, scope, spl } from '#core/protocol/index.ts';
import type { Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';
import { AccountIndex } from '../support/invariants/account-index.ts';
import { findViolations } from '../support/invariants/balance-invariants.ts';
import {
  decodeGenesis,
  SIMULATION_END,
  simulateDays,
} from '../support/localnet/simulated-genesis.ts';

/** The default simulation, run once. */
const { cluster, metadata } = simulateDays('tidegate', 365);
const { bank, transactions } = cluster;
const accounts = new Map(Array.from(bank.accounts(), ({ address, account }) => [address, account]));
const genesis = decodeGenesis({ accounts, metadata });
const { reserves, obligations, vaults } = genesis;
const records = [...transactions.ledger.slots()].flatMap((slot) =>
  transactions.ledger.inSlot(slot),
);

const used = <Item extends object>(items: readonly Item[], key: keyof Item): Item[] =>
  items.filter((item) => item[key] !== ZERO_ADDRESS);

const termsOf = (address: Address) => {
  const market = genesis.markets.get(address);
  if (market === undefined) throw new Error(`no market ${address}`);
  return { market, time: SIMULATION_END, rules: klend.NEWEST_LENDING_RULES };
};

const feed = accounts.get(metadata.oracle.prices);
if (feed === undefined) throw new Error('no prices');
const { prices } = scope.accounts.oraclePrices.decode(feed);

function refreshedReserve(reserve: Reserve): Reserve {
  const { priceChain } = reserve.config.tokenInfo.scopeConfiguration;
  const price = scope.math.chainPrice(prices, priceChain);
  const reading = { price, twap: undefined };
  return klend.operations.refreshReserve(reserve, termsOf(reserve.lendingMarket), reading);
}

const current = new Map([...reserves].map(([address, each]) => [address, refreshedReserve(each)]));

const refreshed = (obligation: Obligation): Obligation =>
  klend.operations.refreshObligation(
    { obligation, reserves: current },
    termsOf(obligation.lendingMarket),
  ).obligation;

const namesOf = ({ logs }: TransactionRecord): string[] =>
  logs.flatMap((line) => /^Program log: Instruction: (\w+)/.exec(line)?.[1] ?? []);

const daysBefore = ({ time }: TransactionRecord): number =>
  Number(SIMULATION_END.unix - time.unix) / 86_400;

describe('transactions', () => {
  test('there are more than five thousand signed transactions, and nearly all succeeded', () => {
    expect(records.length).toBeGreaterThan(5_000);
    expect(records.filter(({ error }) => error !== undefined).length).toBeLessThan(100);
    expect(new Set(records.map(({ signature }) => signature)).size).toBe(records.length);
    const days = new Set(records.map((record) => Math.floor(daysBefore(record))));
    expect(days.size).toBeGreaterThanOrEqual(365);
  });

  test('nearly every wallet has acted', () => {
    const payers = new Set(records.map(({ accounts: [payer] }) => payer?.address));
    const active = metadata.wallets.filter((wallet) => payers.has(wallet));
    expect(active.length).toBeGreaterThanOrEqual(97);
  });

  test('the price fall caused a wave of liquidations', () => {
    const wave = records.filter((record) =>
      namesOf(record).includes('LiquidateObligationAndRedeemReserveCollateralV2'),
    );
    const inStorm = wave.filter((record) => daysBefore(record) > 147 && daysBefore(record) < 154);
    expect(inStorm.length).toBeGreaterThan(30);
    const loans = new Set(
      inStorm.flatMap(({ accounts: all }) =>
        all.map(({ address }) => address).filter((address) => obligations.has(address)),
      ),
    );
    expect(loans.size).toBeGreaterThanOrEqual(8);
  });

  test('leverage loops go up and down with flash loans', () => {
    const flash = records.filter((record) => namesOf(record)[0] === 'FlashBorrowReserveLiquidity');
    expect(flash.filter(({ error }) => error !== undefined).length).toBeLessThan(5);
    expect(flash.every(({ signatures }) => signatures.length === 2)).toBe(true);
    const ups = flash.filter((record) => namesOf(record).includes('BorrowObligationLiquidityV2'));
    const downs = flash.filter((record) => namesOf(record).includes('RepayObligationLiquidityV2'));
    expect([ups.length > 50, downs.length > 50]).toEqual([true, true]);
  });

  test('shares were staked, unstaked and transferred, and rewards were claimed', () => {
    const count = (name: string) => records.filter((each) => namesOf(each).includes(name)).length;
    expect(count('Stake')).toBeGreaterThan(50);
    expect(count('WithdrawUnstakedDeposits')).toBeGreaterThan(20);
    expect(count('HarvestReward')).toBeGreaterThan(20);
    const shares = new Set([...vaults.values()].map(({ sharesMint }) => sharesMint));
    const handed = records.filter(
      (record) =>
        namesOf(record).length === 0 && record.accounts.some(({ address }) => shares.has(address)),
    );
    expect(handed.length).toBeGreaterThan(10);
  });

  test('stake pools have earned up to their known rates', () => {
    for (const [mint, address] of metadata.stakePools) {
      const pool = accounts.get(address);
      if (pool === undefined) throw new Error(`no pool of ${mint}`);
      const { totalLamports, poolTokenSupply } = spl.decodeStakePool(pool);
      const rate = Number((totalLamports * 1_000_000n) / poolTokenSupply) / 1_000_000;
      expect(rate).toBeCloseTo(metadata.tokens.get(mint) === 'JitoSOL' ? 1.2318 : 1.2684, 2);
    }
  });

  test('tokens, positions, vaults and farms add up', () => {
    expect(findViolations(new AccountIndex(accounts))).toEqual([]);
  });
});

test('interest has accrued: debts have grown, lenders and the protocol have earned', () => {
  const lent = [...reserves.values()].filter(({ liquidity }) => liquidity.borrowedAmountSf > 0n);
  expect(lent.length).toBeGreaterThanOrEqual(6);
  for (const reserve of lent) {
    const { liquidity, collateral } = reserve;
    const supply = klend.math.totalSupply(liquidity) >> 60n;
    expect(liquidity.cumulativeBorrowRateBsf.value).toBeGreaterThan(1n << 60n);
    expect(liquidity.accumulatedProtocolFeesSf).toBeGreaterThan(1n << 60n);
    expect(supply).toBeGreaterThan(collateral.mintTotalSupply);
  }
});

test('of two debts with a fixed term, one is overdue and has its amount at the end of the term', () => {
  const debts = [...obligations.values()].flatMap(({ borrows }) =>
    used(borrows, 'borrowReserve').flatMap((borrow) => {
      const term = reserves.get(borrow.borrowReserve)?.config.debtTermSeconds ?? 0n;
      return term === 0n ? [] : [{ borrow, until: borrow.lastBorrowedAtTimestamp + term }];
    }),
  );
  const isOverdue = debts.map(({ until }) => until < SIMULATION_END.unix);
  expect(isOverdue.toSorted()).toEqual([false, true]);
  for (const [i, { borrow }] of debts.entries()) {
    expect(borrow.borrowedAmountAtExpiration > 0n).toBe(isOverdue[i]);
  }
});

test('one reserve is obsolete', () => {
  const all = [...reserves.values()].filter(({ config }) => config.status === 1);
  expect(
    all.map(({ config }) => String.fromCharCode(...config.tokenInfo.name.slice(0, 4))),
  ).toEqual(['KMNO']);
});

test('one reserve is nearly at its deposit limit and one has reached it', () => {
  const filled = [...current.values()].map(({ liquidity, config }) => {
    const supply = klend.math.totalSupply(liquidity) >> 60n;
    return Number((supply * 10_000n) / config.depositLimit);
  });
  // interest alone takes the full one above its limit
  expect(filled.filter((bps) => bps > 9_950).toSorted()).toEqual([10_000, 9_975]);
});

test('there are loans of all four kinds, in and outside elevation groups, full and empty', () => {
  const loans = [...obligations.values()].map(refreshed);
  const tags = loans.map(({ tag }) => Number(tag));
  for (const tag of [0, 1, 2, 3]) {
    expect(tags.filter((other) => other === tag).length).toBeGreaterThanOrEqual(10);
  }
  const sizes = loans.map(({ deposits, borrows }) => [
    used(deposits, 'depositReserve').length,
    used(borrows, 'borrowReserve').length,
  ]);
  expect(sizes).toContainEqual([8, 5]);
  expect(sizes.filter(([deposits, borrows]) => deposits === 0 && borrows === 0)).toHaveLength(3);
  expect(loans.filter(({ elevationGroup }) => elevationGroup > 0).length).toBeGreaterThan(15);
  expect(loans.some((loan) => loan.numOfObsoleteDepositReserves > 0 && loan.hasDebt === 1)).toBe(
    true,
  );
});

test('some loans are near liquidation, most are healthy, none can be liquidated', () => {
  const used = [...obligations.values()]
    .map(refreshed)
    .filter(({ hasDebt }) => hasDebt === 1)
    .map((loan) =>
      Number((loan.borrowFactorAdjustedDebtValueSf * 1_000n) / loan.unhealthyBorrowValueSf),
    );
  expect(used.filter((permille) => permille > 960).length).toBeGreaterThanOrEqual(3);
  expect(used.filter((permille) => permille < 750).length).toBeGreaterThan(used.length / 2);
  expect(Math.max(...used)).toBeLessThan(1_000);
});

test('there are nine vaults: with and without farm, an empty one, and one without available tokens', () => {
  const all = [...vaults.values()];
  expect(all).toHaveLength(9);
  expect(all.filter(({ vaultFarm }) => vaultFarm !== ZERO_ADDRESS)).toHaveLength(2);
  expect(all.filter(({ sharesIssued }) => sharesIssued === 0n)).toHaveLength(1);
  expect(all.filter((vault) => vault.permissioningAuthority !== ZERO_ADDRESS)).toHaveLength(1);
  expect(all.filter(({ depositCap }) => depositCap > 0n)).toHaveLength(1);
  const [credit] = metadata.privateCreditVaults;
  const drained = vaults.get(credit ?? ZERO_ADDRESS);
  const index = used(drained?.vaultAllocationStrategy ?? [], 'reserve')[0];
  const reserve = reserves.get(index?.reserve ?? ZERO_ADDRESS);
  const heldShares = (drained?.prevAumSf ?? 0n) >> 60n;
  expect((drained?.tokenAvailable ?? heldShares) * 100n).toBeLessThan(heldShares);
  // the queue of withdrawals has taken the rest
  expect(reserve?.liquidity.totalAvailableAmount).toBe(0n);
  expect(reserve?.withdrawQueue.queuedCollateralAmount).toBeGreaterThan(0n);
});

test('a reserve price is the product of its oracle entries; a staked token follows its pool', () => {
  for (const { liquidity, config } of current.values()) {
    const chain = config.tokenInfo.scopeConfiguration.priceChain.filter((index) => index < 512);
    const used = chain.map((index) => prices[index]?.price ?? { value: 0n, exp: 0n });
    const value = used.reduce((product, price) => product * price.value, 1n << 60n);
    const exp = used.reduce((total, price) => total + price.exp, 0n);
    expect(liquidity.marketPriceSf).toBe(value / 10n ** exp);
    expect(chain).toHaveLength(metadata.stakePools.has(liquidity.mintPubkey) ? 2 : 1);
  }
  for (const [mint, address] of metadata.stakePools) {
    const pool = accounts.get(address);
    const entry = metadata.oracle.entries.find(
      ({ symbol }) => symbol === metadata.tokens.get(mint),
    );
    if (pool === undefined || entry === undefined) throw new Error(`no pool of ${mint}`);
    const { totalLamports, poolTokenSupply, poolMint } = spl.decodeStakePool(pool);
    expect(poolMint).toBe(mint);
    expect(poolTokenSupply).toBe(genesis.mints.get(mint)?.supply);
    const rate = prices[entry.index]?.price;
    expect(rate).toEqual({ value: (totalLamports * 10n ** 15n) / poolTokenSupply, exp: 15n });
  }
});

test('the demo wallet has a loan with debt, a leveraged loan, and shares held and staked', () => {
  const { wallet, market, vault, obligation } = metadata.demo;
  const loan = obligations.get(obligation);
  expect(loan).toMatchObject({ owner: wallet, lendingMarket: market, tag: 0n, hasDebt: 1 });
  expect(used(loan?.deposits ?? [], 'depositReserve').length).toBeGreaterThan(0);
  const ownAccounts = [...obligations.values()].filter(({ owner }) => owner === wallet);
  expect(ownAccounts.map(({ tag }) => tag).toSorted()).toEqual([0n, 1n]);
  const { sharesMint, vaultFarm } = vaults.get(vault) ?? {};
  const share = [...genesis.tokenAccounts.values()].find(
    (account) => account.owner === wallet && account.mint === sharesMint,
  );
  const stake = [...genesis.farmUsers.values()].find(
    (user) => user.owner === wallet && user.farmState === vaultFarm,
  );
  expect(share?.amount).toBeGreaterThan(0n);
  expect(stake?.activeStakeScaled).toBeGreaterThan(0n);
  expect(metadata.markets.find(({ address }) => address === market)?.isPrimary).toBe(true);
});
