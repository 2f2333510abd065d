import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { createLeverageCache } from '#server/operations/markets/leverage/leverage-cache.ts';
import { createMarketCache } from '#server/support/pricing/market-cache.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';

const MARKET = goldenMarket('Main Market').address;

/** A cache whose computation takes `computeMs` on a clock that otherwise stands still. */
function createTestCache(computeMs: number) {
  const accounts = new Map(goldenCluster().accounts);
  const state = { now: 0, version: 1, computations: 0 };
  const golden = goldenReader({ accounts, version: () => state.version });
  const reader = {
    ...golden,
    obligationsIn(market: Address) {
      state.computations++;
      state.now += computeMs;
      return golden.obligationsIn(market);
    },
  };
  const warnings: unknown[] = [];
  const silent = () => undefined;
  const log = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (fields: object) => warnings.push(fields),
  };
  const leverageOf = createLeverageCache({
    clock: () => state.now,
    log,
    marketOf: createMarketCache(),
  });
  return { state, accounts, warnings, table: () => leverageOf(reader, MARKET) };
}

test('a table is computed once per version', () => {
  const { state, table } = createTestCache(0);
  const first = table();
  expect(first?.rows.length).toBe(2);
  expect(table()).toBe(first);
  expect(state.computations).toBe(1);
  state.version++;
  table();
  expect(state.computations).toBe(2);
});

test('a table is reused for fifty times its computation time', () => {
  const { state, table } = createTestCache(100);
  const first = table();
  state.version++;
  state.now = 100 + 4999;
  expect(table()).toBe(first);
  state.now = 100 + 5000;
  expect(table()).not.toBe(first);
});

test('omitted loans are logged once, not with every table', () => {
  const { state, accounts, warnings, table } = createTestCache(0);
  const [address, account] =
    [...accounts].find(
      ([, candidate]) => obligation.matches(candidate) && obligation.decode(candidate).tag === 1n,
    ) ?? [];
  if (address === undefined || account === undefined) throw new Error('no such loan');
  const damaged = { ...obligation.decode(account), elevationGroup: 31 };
  accounts.set(address, { ...account, data: obligation.encode(damaged) });
  for (; state.version < 4; state.version++) expect(table()?.rows).toHaveLength(1);
  expect(warnings).toEqual([{ market: MARKET, omittedLoans: 1 }]);
});
