import { expect, test } from 'vitest';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { ConfigAccountCheck } from '#server/clusters/config-account-check.ts';
import { openUnprovenKinds } from '#server/clusters/unknown-value-reasons.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { mainnetAccounts } from '../../support/mainnet/mainnet-fixtures.ts';

const HOUR_MS = 3_600_000;
/** `priceTypes` of the published layout of the sources of prices. */
const PRICE_TYPES = 16_392;

function setUp() {
  const mappings = mainnetAccounts().find((account) => oracleMappings.matches(account));
  if (mappings === undefined) throw new Error('no recorded sources of prices');
  const accounts = new Map<string, RawAccount>(goldenCluster().accounts);
  const feeds = [...accounts].filter(([, account]) => oraclePrices.matches(account));
  const sources = feeds.map(([, account]) => oraclePrices.decode(account).oracleMappings);
  for (const address of sources) accounts.set(address, mappings);
  let now = 0;
  let slot = 100n;
  const reader = goldenReader();
  const unproven = openUnprovenKinds(reader);
  const check = new ConfigAccountCheck({
    reader,
    unproven,
    clock: () => now,
    log: silentLog,
    getAccounts: async (addresses, _minSlot, maxBytes) => ({
      slot: toSlot(slot++),
      accounts: addresses.map((address) => {
        const account = accounts.get(address);
        return account && { ...account, data: account.data.subarray(0, maxBytes) };
      }),
    }),
  });
  const set = (address: string, offset: number, byte: number): void => {
    const account = accounts.get(address);
    if (account === undefined) throw new Error(`no account ${address}`);
    const data = account.data.slice();
    data[offset] = byte;
    accounts.set(address, { owner: account.owner, data });
  };
  const afterAnHour = async () => {
    now += HOUR_MS;
    await check.refreshIfStale();
    return unproven.reasons();
  };
  const [source = ''] = sources;
  return { check, unproven, set, afterAnHour, source, accounts };
}

test('global configs and sources of prices are checked once an hour', async () => {
  const { check, unproven, set, afterAnHour, source, accounts } = setUp();
  await check.refreshIfStale();
  expect(unproven.reasons()).toEqual([]);

  const config = globalConfigAddress();
  const last = (accounts.get(config)?.data.length ?? 0) - 1;
  set(config, last, 1);
  await check.refreshIfStale();
  expect(unproven.reasons()).toEqual([]);
  const found = await afterAnHour();
  expect(found).toMatchObject([
    {
      kind: 'vault',
      code: 'unknownBytes',
      detail: `byte ${last} (padding) of ${config} is not zero`,
    },
  ]);
  expect(await afterAnHour()).toEqual(found);

  set(config, last, 0);
  set(source, PRICE_TYPES + 3, 120);
  expect(await afterAnHour()).toMatchObject([
    { kind: 'prices', code: 'unknownValue', detail: expect.stringContaining(source) },
  ]);
});
