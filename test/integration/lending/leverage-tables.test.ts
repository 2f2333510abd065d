import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { createLeverageCache } from '#server/features/markets/leverage/leverage-cache.ts';
import { createMarketCache } from '#server/features/pricing/market-cache.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';

const MARKET = toAddress('9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES');

/** A cluster whose table takes `workMs` to make; the clock stands still otherwise. */
function scene(workMs: number) {
  const accounts = new Map(goldenCluster().accounts);
  const state = { now: 0, version: 1, walks: 0 };
  const golden = goldenReader({ accounts, version: () => state.version });
  const reader = {
    ...golden,
    obligationsIn(market: Address) {
      state.walks++;
      state.now += workMs;
      return golden.obligationsIn(market);
    },
  };
  const warnings: unknown[] = [];
  const silent = () => undefined;
  const log = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (facts: object) => warnings.push(facts),
  };
  const tableOf = createLeverageCache({
    clock: () => state.now,
    log,
    marketOf: createMarketCache(),
  });
  return { state, accounts, warnings, table: () => tableOf(reader, MARKET) };
}

test('a table is made once per version', () => {
  const { state, table } = scene(0);
  const first = table();
  expect(first?.rows.length).toBe(2);
  expect(table()).toBe(first);
  expect(state.walks).toBe(1);
  state.version++;
  table();
  expect(state.walks).toBe(2);
});

test('one that took long rests fifty times as long before it is made again', () => {
  const { state, table } = scene(100);
  const first = table();
  state.version++;
  state.now = 100 + 4999;
  expect(table()).toBe(first);
  state.now = 100 + 5000;
  expect(table()).not.toBe(first);
});

test('loans that cannot be told are logged once, not with every table', () => {
  const { state, accounts, warnings, table } = scene(0);
  const [address, account] =
    [...accounts].find(([, one]) => obligation.matches(one) && obligation.decode(one).tag === 1n) ??
    [];
  if (address === undefined || account === undefined) throw new Error('no such loan');
  const damaged = { ...obligation.decode(account), elevationGroup: 31 };
  accounts.set(address, { ...account, data: obligation.encode(damaged) });
  for (; state.version < 4; state.version++) expect(table()?.rows).toHaveLength(1);
  expect(warnings).toEqual([{ market: MARKET, omittedLoans: 1 }]);
});
