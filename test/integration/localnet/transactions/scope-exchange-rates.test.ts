import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits, ZERO_SF } from '#core/base/numbers/scaled-fraction.ts';
import { type AccountMeta, READ, WRITE } from '#core/base/solana/instruction.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { refreshPriceList } from '#core/protocol/scope/instructions/refresh-price-list.ts';
import { oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices, oracleTwaps } from '#core/protocol/scope/layout/oracle-prices.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { scopeProgram } from '#localnet/programs/scope/scope-program.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { exampleFeed } from '../../../support/oracle/example-feed.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster, vaultPrograms } from '../../../support/vaults/vault-cluster.ts';

const [PRICES, MAPPINGS, TWAPS] = [11, 12, 13].map(numberedAddress) as [Address, Address, Address];
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const HUNDRED = `64${'00'.repeat(15)}`;

/** Entry 2 is the exchange rate of a reserve with a known rate, entry 3 a constant. */
function clusterWithFeed(): VaultCluster {
  const cluster = new VaultCluster();
  cluster.programs = vaultPrograms([[SCOPE_PROGRAM, scopeProgram]]);
  const { prices, mappings, twaps } = exampleFeed(
    {},
    { 2: { type: 'KlendCTokenExchangeRate' }, 3: { type: 'FixedPrice', generic: HUNDRED } },
  );
  const priceInfoAccounts = mappings.priceInfoAccounts.with(2, RESERVE);
  const put = (address: Address, data: Uint8Array) =>
    cluster.accounts.set(address, { owner: SCOPE_PROGRAM, lamports: 10n ** 9n, data });
  put(PRICES, oraclePrices.encode({ ...prices, oracleMappings: MAPPINGS }));
  put(MAPPINGS, oracleMappings.encode({ ...mappings, priceInfoAccounts }));
  put(TWAPS, oracleTwaps.encode({ ...twaps, oraclePrices: PRICES, oracleMappings: MAPPINGS }));
  cluster.changeReserve(RESERVE, (reserve) => ({
    ...reserve,
    lastUpdate: { ...reserve.lastUpdate, slot: cluster.at.slot },
    liquidity: {
      ...reserve.liquidity,
      totalAvailableAmount: toLamports(64_123_456_789_012n),
      borrowedAmountSf: sfFromBits(0x123456789abcden),
      accumulatedProtocolFeesSf: ZERO_SF,
      accumulatedReferrerFeesSf: ZERO_SF,
      pendingReferrerFeesSf: ZERO_SF,
    },
    collateral: { ...reserve.collateral, mintTotalSupply: 57_654_321_098_765n },
  }));
  return cluster;
}

const metasOf = (cluster: VaultCluster): AccountMeta[] => [
  { address: RESERVE, role: WRITE },
  { address: KLEND_PROGRAM, role: READ },
  { address: cluster.reserve(RESERVE).lendingMarket, role: READ },
];

const refresh = (list: readonly number[], remaining: readonly AccountMeta[]) =>
  refreshPriceList.build(SCOPE_PROGRAM, {
    accounts: {
      oraclePrices: PRICES,
      oracleMappings: MAPPINGS,
      oracleTwaps: TWAPS,
      instructionSysvarAccountInfo: INSTRUCTIONS_SYSVAR,
    },
    args: {},
    list,
    remaining,
  });

const pricesOf = (cluster: VaultCluster) => oraclePrices.decode(cluster.get(PRICES)).prices;

test('an exchange rate of the lending program is its price of now', () => {
  const cluster = clusterWithFeed();
  const { error, inner } = cluster.run(refresh([2], metasOf(cluster)));
  expect(error).toBeUndefined();
  expect(pricesOf(cluster)[2]).toMatchObject({
    price: { value: 111_220_556_528_911_375n, exp: 17n },
    lastUpdatedSlot: cluster.at.slot,
    unixTimestamp: cluster.at.unix,
  });
  const starts = (inner.get(0) ?? []).map(({ instruction }) =>
    Buffer.from(instruction.data.subarray(0, 8)).toString('hex'),
  );
  expect(starts).toEqual(['906e1a67a2ccfc93', '20fddc0d13a583bc']);
});

test('an entry after it has its own account', () => {
  const cluster = clusterWithFeed();
  const remaining: AccountMeta[] = [...metasOf(cluster), { address: SCOPE_PROGRAM, role: READ }];
  expect(cluster.run(refresh([2, 3], remaining)).error).toBeUndefined();
  expect(pricesOf(cluster)[3]?.price).toEqual({ value: 100n, exp: 0n });
});

test.each([
  ['without the market', (metas: AccountMeta[]) => metas.slice(0, 2), 6006],
  [
    'with another program',
    (metas: AccountMeta[]) => metas.with(1, { address: SYSTEM_PROGRAM, role: READ }),
    6004,
  ],
  [
    'with another market',
    (metas: AccountMeta[]) => metas.with(2, { address: RESERVE, role: WRITE }),
    6004,
  ],
])('it is rejected %s', (_, change, code) => {
  const cluster = clusterWithFeed();
  expect(cluster.run(refresh([2], change(metasOf(cluster)))).error).toEqual(instructionError(code));
});

test('an account that is not a reserve has no rate', () => {
  const cluster = clusterWithFeed();
  const metas = metasOf(cluster);
  cluster.accounts.set(RESERVE, { ...cluster.get(RESERVE), owner: SYSTEM_PROGRAM });
  expect(cluster.run(refresh([2], metas)).error).toEqual(instructionError(6011));
});
