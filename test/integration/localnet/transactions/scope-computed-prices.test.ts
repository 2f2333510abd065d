import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { AccountMeta } from '#core/base/solana/instruction.ts';
import { refreshPriceList } from '#core/protocol/scope/instructions/refresh-price-list.ts';
import { oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices, oracleTwaps } from '#core/protocol/scope/layout/oracle-prices.ts';
import type { ScopeFeed } from '#core/protocol/scope/operations/refresh-entry.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#core/protocol/spl/programs.ts';
import { scopeProgram } from '#localnet/programs/scope/scope-program.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { runTestPrograms } from '../../../support/localnet/test-programs.ts';
import { exampleFeed } from '../../../support/oracle/example-feed.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const PRICES = numberedAddress(11);
const MAPPINGS = numberedAddress(12);
const TWAPS = numberedAddress(13);

const owned = (data: Uint8Array) => ({ owner: SCOPE_PROGRAM, lamports: 10n ** 9n, data });

function accountsOf({ prices, mappings, twaps }: ScopeFeed) {
  const linked = { oraclePrices: PRICES, oracleMappings: MAPPINGS };
  return [
    [PRICES, owned(oraclePrices.encode({ ...prices, oracleMappings: MAPPINGS }))],
    [MAPPINGS, owned(oracleMappings.encode(mappings))],
    [TWAPS, owned(oracleTwaps.encode({ ...twaps, ...linked }))],
  ] as const;
}

function refresh(feed: ScopeFeed, ...list: readonly number[]) {
  const instruction = refreshPriceList.build(SCOPE_PROGRAM, {
    accounts: {
      oraclePrices: PRICES,
      oracleMappings: MAPPINGS,
      oracleTwaps: TWAPS,
      instructionSysvarAccountInfo: INSTRUCTIONS_SYSVAR,
    },
    args: {},
    list,
    remaining: list.map((): AccountMeta => ({ address: SCOPE_PROGRAM, role: 0 })),
  });
  const ran = runTestPrograms({
    programs: [[SCOPE_PROGRAM, scopeProgram]],
    accounts: accountsOf(feed),
    instructions: [instruction],
    unitLimit: 200_000,
  });
  const changed = (address: Address) => ran.changes.get(address);
  const prices = changed(PRICES);
  const twaps = changed(TWAPS);
  return {
    ...ran,
    prices: prices && oraclePrices.decode(prices).prices,
    twaps: twaps && oracleTwaps.decode(twaps).twaps,
  };
}

const HUNDRED = `64${'00'.repeat(15)}`;

test('a later entry of a refresh uses the price of an earlier one', () => {
  const feed = exampleFeed(
    { 1: [250n, 0n, 7n] },
    {
      1: { type: 'PythPull' },
      2: { type: 'FixedPrice', generic: HUNDRED, twapEnabled: 1 },
      3: { type: 'CappedFloored', generic: '010001020000' },
    },
  );
  const { error, prices, twaps } = refresh(feed, 2, 3);
  expect(error).toBeUndefined();
  expect(prices?.[2]?.price).toEqual({ value: 100n, exp: 0n });
  expect(prices?.[3]).toMatchObject({ price: { value: 100n, exp: 0n }, unixTimestamp: 7n });
  expect(twaps?.[2]?.currentEma1h).toBe(100n * 10n ** 18n);
});

test('an entry that fails is skipped among others and fails alone', () => {
  const feed = exampleFeed(
    { 1: [250n, 0n, 7n] },
    {
      2: { type: 'FixedPrice', generic: HUNDRED },
      3: { type: 'MultiplicationChain', generic: '0002' },
      4: { type: 'FixedPrice', generic: HUNDRED, isFrozen: true },
      5: { type: 'FixedPrice', generic: HUNDRED, refPrice: 1, twapEnabled: 1 },
    },
  );
  const { error, prices, twaps, logs } = refresh(feed, 3, 4, 5, 2);
  expect(error).toBeUndefined();
  expect([2, 3, 4, 5].map((index) => prices?.[index]?.price.value)).toEqual([100n, 0n, 0n, 0n]);
  // The sample counts even though the price is too far from its reference.
  expect(twaps?.[5]?.currentEma1h).toBe(100n * 10n ** 18n);
  expect(logs).toContain('Program log: Price skipped as validation failed (token 3)');
  expect(refresh(feed, 3).error).toEqual(instructionError(6035));
  expect(refresh(feed, 4)).toMatchObject({ error: undefined, prices: undefined });
  expect(refresh(feed, 5)).toMatchObject({ error: instructionError(6005), twaps: undefined });
});
