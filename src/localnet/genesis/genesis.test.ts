import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodedGenesis, GENESIS_AT } from '../../../test/support/decoded-genesis.ts';
import { ZERO_ADDRESS } from '../../base/address.ts';
import { toSlot } from '../../base/time.ts';
import { klend, scope, spl } from '../../protocol/index.ts';
import { createGenesis, type Genesis } from './genesis.ts';

const world = decodedGenesis('tidegate');
const { accounts, facts, reserves, obligations, vaults } = world;

const used = <Item extends object>(items: readonly Item[], key: keyof Item): Item[] =>
  items.filter((item) => item[key] !== ZERO_ADDRESS);

/** Of every account: address, owner, lamports and bytes, in order. */
function digest(genesis: Pick<Genesis, 'accounts'>): string {
  const hash = createHash('sha256');
  for (const [address, { owner, lamports, data }] of genesis.accounts) {
    hash.update(`${address} ${owner} ${lamports} ${data.length}\n`).update(data);
  }
  return hash.digest('hex');
}

test('same seed and time, same bytes on any machine', () => {
  expect(digest(world)).toBe('1eae3eb9a4262287e352af22a428c3fb7b5ec1777da0cb312315b045f4872167');
});

test('another seed or another time gives other bytes', () => {
  const later = { ...GENESIS_AT, slot: toSlot(GENESIS_AT.slot + 1n) };
  const others = [
    createGenesis({ seed: 'tidegate!', at: GENESIS_AT }),
    createGenesis({ seed: 'tidegate', at: later }),
  ];
  expect(new Set([world, ...others].map(digest)).size).toBe(3);
});

test('a cluster too young for its own past is refused', () => {
  const at = { ...GENESIS_AT, slot: toSlot(20_000_000n) };
  expect(() => createGenesis({ seed: 'tidegate', at })).toThrow('leaves no 120 days');
});

test('there are three markets with sixteen reserves, among them one of each kind that matters', () => {
  const mints = [...reserves.values()].map(({ liquidity }) => liquidity);
  expect(world.markets.size).toBe(3);
  expect(reserves.size).toBe(16);
  expect(mints.some(({ mintPubkey }) => mintPubkey === spl.WRAPPED_SOL_MINT)).toBe(true);
  expect(mints.some(({ tokenProgram }) => tokenProgram === spl.TOKEN_2022_PROGRAM)).toBe(true);
  expect(mints.some(({ mintDecimals }) => mintDecimals === 8n)).toBe(true);
  expect(facts.stakePools.size).toBe(2);
  for (const mint of facts.stakePools.keys()) {
    expect(mints.some(({ mintPubkey }) => mintPubkey === mint)).toBe(true);
  }
  const all = [...reserves.values()];
  expect(all.some(({ farmCollateral: a, farmDebt: b }) => ![a, b].includes(ZERO_ADDRESS))).toBe(
    true,
  );
  expect(all.filter(({ config }) => config.status === 1)).toHaveLength(1);
  expect(all.some(({ config }) => config.depositWithdrawalCap.configCapacity > 0n)).toBe(true);
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

test('one reserve is nearly at its deposit limit and none is above it', () => {
  const filled = [...reserves.values()].map(({ liquidity, config }) => {
    const supply = klend.math.totalSupply(liquidity) >> 60n;
    return Number((supply * 10_000n) / config.depositLimit);
  });
  expect(filled.filter((bps) => bps > 9_950)).toHaveLength(1);
  expect(Math.max(...filled)).toBeLessThan(10_000);
});

test('loans of all four kinds are there, in and outside of elevation groups, full and empty', () => {
  const loans = [...obligations.values()];
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
    .filter(({ hasDebt }) => hasDebt === 1)
    .map((loan) =>
      Number((loan.borrowFactorAdjustedDebtValueSf * 1_000n) / loan.unhealthyBorrowValueSf),
    );
  expect(used.filter((permille) => permille > 960).length).toBeGreaterThanOrEqual(3);
  expect(used.filter((permille) => permille < 750).length).toBeGreaterThan(used.length / 2);
  expect(Math.max(...used)).toBeLessThan(1_000);
});

test('a refresh in the first slot changes no loan', () => {
  for (const obligation of obligations.values()) {
    const market = world.markets.get(obligation.lendingMarket);
    if (market === undefined) throw new Error('no market');
    const terms = { market, time: GENESIS_AT, rules: klend.CURRENT_RULES };
    const refreshed = klend.operations.refreshObligation({ obligation, reserves }, terms);
    expect(refreshed.obligation).toEqual(obligation);
  }
});

test('six vaults: with and without farm, an empty one, one whose tokens are all lent out', () => {
  const all = [...vaults.values()];
  expect(all).toHaveLength(6);
  expect(all.filter(({ vaultFarm }) => vaultFarm !== ZERO_ADDRESS)).toHaveLength(2);
  expect(all.filter(({ sharesIssued }) => sharesIssued === 0n)).toHaveLength(1);
  const [credit] = facts.privateCreditVaults;
  const drained = vaults.get(credit ?? ZERO_ADDRESS);
  const place = used(drained?.vaultAllocationStrategy ?? [], 'reserve')[0];
  const reserve = reserves.get(place?.reserve ?? ZERO_ADDRESS);
  const held = (drained?.prevAumSf ?? 0n) >> 60n;
  expect(drained?.tokenAvailable).toBe(0n);
  expect(reserve?.liquidity.totalAvailableAmount).toBeGreaterThan(0n);
  expect((reserve?.liquidity.totalAvailableAmount ?? held) * 1_000n).toBeLessThan(held);
});

test('a price in a reserve is the product of its oracle entries; a staked token follows its pool', () => {
  const feed = accounts.get(facts.oracle.prices);
  if (feed === undefined) throw new Error('no prices');
  const { prices } = scope.accounts.oraclePrices.decode(feed);
  for (const { liquidity, config } of reserves.values()) {
    const chain = config.tokenInfo.scopeConfiguration.priceChain.filter((index) => index < 512);
    const used = chain.map((index) => prices[index]?.price ?? { value: 0n, exp: 0n });
    const value = used.reduce((product, price) => product * price.value, 1n << 60n);
    const exp = used.reduce((total, price) => total + price.exp, 0n);
    expect(liquidity.marketPriceSf).toBe(value / 10n ** exp);
    expect(chain).toHaveLength(facts.stakePools.has(liquidity.mintPubkey) ? 2 : 1);
  }
  for (const [mint, address] of facts.stakePools) {
    const pool = accounts.get(address);
    const entry = facts.oracle.entries.find(({ symbol }) => symbol === facts.tokens.get(mint));
    if (pool === undefined || entry === undefined) throw new Error(`no pool of ${mint}`);
    const { totalLamports, poolTokenSupply, poolMint } = spl.decodeStakePool(pool);
    expect(poolMint).toBe(mint);
    expect(poolTokenSupply).toBe(world.mints.get(mint)?.supply);
    const rate = prices[entry.index]?.price;
    expect(rate).toEqual({ value: (totalLamports * 10n ** 15n) / poolTokenSupply, exp: 15n });
  }
});

test('the token-2022 mint has extensions that the lending program accepts, and its accounts match', () => {
  const [mint] = [...world.mints].filter(([, { extensions }]) => extensions !== undefined);
  const kinds = mint?.[1].extensions?.entries.map(({ kind }) => kind);
  expect(kinds).toContain('transferFeeConfig');
  expect(kinds).toContain('permanentDelegate');
  expect(mint === undefined ? [] : spl.unsupportedExtensions(mint[1])).toEqual([]);
  const wallet = [...world.tokenAccounts].find(([, { owner, mint: of }]) => {
    return of === mint?.[0] && facts.wallets.includes(owner);
  });
  expect(wallet?.[1].extensions?.entries.map(({ kind }) => kind)).toEqual([
    'immutableOwner',
    'transferFeeAmount',
    'transferHookAccount',
  ]);
});

test('the wallet that newcomers are shown has a loan with debt, a looped one, and shares held and staked', () => {
  const { wallet, market, vault, obligation } = facts.demo;
  const loan = obligations.get(obligation);
  expect(loan).toMatchObject({ owner: wallet, lendingMarket: market, tag: 0n, hasDebt: 1 });
  expect(used(loan?.deposits ?? [], 'depositReserve').length).toBeGreaterThan(0);
  const own = [...obligations.values()].filter(({ owner }) => owner === wallet);
  expect(own.map(({ tag }) => tag).toSorted()).toEqual([0n, 1n]);
  const { sharesMint, vaultFarm } = vaults.get(vault) ?? {};
  const share = [...world.tokenAccounts.values()].find(
    (account) => account.owner === wallet && account.mint === sharesMint,
  );
  const stake = [...world.farmUsers.values()].find(
    (user) => user.owner === wallet && user.farmState === vaultFarm,
  );
  expect(share?.amount).toBeGreaterThan(0n);
  expect(stake?.activeStakeScaled).toBeGreaterThan(0n);
  expect(facts.markets.find(({ address }) => address === market)?.isPrimary).toBe(true);
});

test('a hundred wallets have lamports', () => {
  expect(new Set(facts.wallets).size).toBe(100);
  for (const wallet of facts.wallets) {
    expect(accounts.get(wallet)?.lamports).toBeGreaterThan(10_000_000n);
  }
});
