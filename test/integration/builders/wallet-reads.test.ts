import { expect, test } from 'vitest';
import {
  type Address,
  addressFromBytes,
  addressToBytes,
  toAddress,
} from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import type { BuildContext, Builder } from '#core/builders/build.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress } from '#core/protocol/klend/pda.ts';
import type { AccountsAtSlot, Cluster } from '#server/clusters/served-clusters.ts';
import { loadBuildContext } from '#server/operations/transactions/builder/load-build-context.ts';
import { WalletCache } from '#server/operations/transactions/builder/wallet-cache.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import {
  goldenMarket,
  goldenUser,
  goldenUserTable,
} from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { seededBytes } from '../../support/random/seeded-bytes.ts';

/** A golden wallet whose metadata has a lookup table. */
const withTable = goldenUser('alice').address;
const table = goldenUserTable('alice');
/** A golden wallet whose metadata has no addresses. */
const plain = goldenUser('desk').address;
const market = goldenMarket('Main Market').address;
const newWallet = addressFromBytes(seededBytes(5, 32));
const other = addressFromBytes(seededBytes(7, 32));

type Read = { readonly addresses: readonly Address[]; readonly minSlot: bigint | undefined };

/** The golden cluster with its reads recorded, and optionally changed. */
function setUp(change: (read: AccountsAtSlot) => AccountsAtSlot = (read) => read) {
  const staticSource = staticCluster();
  const reads: Read[] = [];
  const cluster: Cluster = {
    ...staticSource,
    async readAccounts(addresses, minSlot) {
      reads.push({ addresses, minSlot });
      return change(await staticSource.readAccounts(addresses));
    },
  };
  const [reserve] = cluster.reader.reservesOf(market);
  if (reserve === undefined) throw new Error('no reserve');
  const lendingRequest = (wallet: Address) => ({
    wallet,
    market,
    reserve: reserve.address,
    amount: 1_000n,
  });
  const ports = { cluster, walletCache: new WalletCache() };
  return { cluster, reads, reserve, lendingRequest, ports };
}

/** A builder that requires these accounts, one list after the other. */
const builderRequiring = (
  ...lists: readonly (readonly Address[])[]
): Builder<{ wallet: Address }> => ({
  requiredAccounts: (_, { accounts }) =>
    lists.find((list) => list.some((address) => !accounts.has(address))) ?? [],
  build: () => {
    throw new Error('not implemented');
  },
});

test('a wallet without a lookup table takes one read each time', async () => {
  const { ports, reads, lendingRequest } = setUp();
  for (let build = 1; build <= 3; build++) {
    expect((await loadBuildContext(depositBuilder, lendingRequest(plain), ports)).reads).toBe(1);
    expect(reads).toHaveLength(build);
  }
  expect(reads.every(({ addresses }) => addresses.length <= 100)).toBe(true);
});

test('a wallet with a lookup table takes a second read once', async () => {
  const { ports, reads, lendingRequest } = setUp();
  const first = await loadBuildContext(depositBuilder, lendingRequest(withTable), ports);
  expect(first.reads).toBe(2);
  expect(reads[1]?.addresses).toEqual([table]);
  const second = await loadBuildContext(borrowBuilder, lendingRequest(withTable), ports);
  expect(second.reads).toBe(1);
  expect(reads[2]?.addresses).toContain(table);
  expect(second.context.accounts.get(table)).toEqual(first.context.accounts.get(table));
  expect(reads).toHaveLength(3);
});

test('a wallet with a referrer takes a second read on its first borrow', async () => {
  const { ports, reads, lendingRequest, reserve } = setUp((read) => withReferrer(read, newWallet));
  const { program } = reserve;
  const referrerState = referrerTokenStateAddress(newWallet, reserve.address, program);
  expect((await loadBuildContext(borrowBuilder, lendingRequest(plain), ports)).reads).toBe(2);
  expect(reads[1]?.addresses).toEqual([referrerState]);
  expect((await loadBuildContext(borrowBuilder, lendingRequest(plain), ports)).reads).toBe(1);
  expect(reads[2]?.addresses).toContain(referrerState);
});

test('metadata that is set later is read and cached', async () => {
  let isReferred = false;
  const { ports, lendingRequest } = setUp((read) =>
    isReferred ? withReferrer(read, newWallet) : read,
  );
  expect((await loadBuildContext(borrowBuilder, lendingRequest(plain), ports)).reads).toBe(1);
  isReferred = true;
  expect((await loadBuildContext(borrowBuilder, lendingRequest(plain), ports)).reads).toBe(2);
  expect((await loadBuildContext(borrowBuilder, lendingRequest(plain), ports)).reads).toBe(1);
});

test('a new wallet takes one read', async () => {
  const { ports, lendingRequest } = setUp();
  const { reads, context } = await loadBuildContext(
    depositBuilder,
    lendingRequest(newWallet),
    ports,
  );
  expect(reads).toBe(1);
  expect([...context.accounts.values()].filter((each) => each !== undefined)).toEqual([]);
});

test('a vault takes one read, and uses no wallet metadata', async () => {
  const { cluster, ports } = setUp();
  const [vault] = cluster.reader.vaults();
  if (vault === undefined) throw new Error('no vault');
  const request = { wallet: withTable, vault: vault.address, amount: 1_000n };
  const { reads, context } = await loadBuildContext(vaultDepositBuilder, request, ports);
  expect(reads).toBe(1);
  expect(context.marketLookupTable).toBeUndefined();
  expect(context.walletMetadata).toBeUndefined();
});

test('reads require the slot of the state, and then of the previous read', async () => {
  const { cluster, ports, reads } = setUp((read) => ({ ...read, slot: toSlot(read.slot + 7n) }));
  const loaded = await loadBuildContext(
    builderRequiring([plain], [table]),
    { wallet: plain },
    ports,
  );
  const state = cluster.reader.at().slot;
  expect(reads.map(({ minSlot }) => minSlot)).toEqual([state, state + 7n]);
  expect(loaded.slot).toBe(state + 7n);
});

test('an endpoint behind the state throws', async () => {
  const source = staticCluster();
  const at = { ...source.reader.at(), slot: toSlot(source.reader.at().slot + 1n) };
  const cluster = { ...source, reader: { ...source.reader, at: () => at } };
  const ports = { cluster, walletCache: new WalletCache() };
  const failure = await catchError(
    loadBuildContext(builderRequiring([plain]), { wallet: plain }, ports),
  );
  expect(failure?.code).toBe('SOURCE_LAGS');
});

test('a builder that keeps requiring accounts throws', async () => {
  const { ports, reads } = setUp();
  const builder = builderRequiring([plain], [table], [market], [newWallet]);
  const failure = await catchError(loadBuildContext(builder, { wallet: plain }, ports));
  expect(failure?.code).toBe('UNSAFE_BUILD');
  expect(failure?.message).toContain(newWallet);
  expect(reads).toHaveLength(3);
});

test('the lookup table of a market comes from the registry', async () => {
  const { cluster, ports, lendingRequest } = setUp();
  const tableWith = async (lookupTable: string): Promise<BuildContext['marketLookupTable']> => {
    const listed = {
      address: market,
      programId: market,
      name: '',
      description: '',
      isPrimary: false,
      isCurated: false,
      lookupTable: toAddress(lookupTable),
    };
    const registry = createRegistry({ ...emptyRegistry, markets: [listed] });
    const served = { ...ports, cluster: { ...cluster, registry } };
    return (await loadBuildContext(depositBuilder, lendingRequest(plain), served)).context
      .marketLookupTable;
  };
  expect(await tableWith(table)).toBe(table);
  expect(await tableWith('11111111111111111111111111111111')).toBeUndefined();
  expect(
    (await loadBuildContext(depositBuilder, lendingRequest(plain), ports)).context
      .marketLookupTable,
  ).toBeUndefined();
});

test('an unknown market throws before anything is read', async () => {
  const { ports, reads, lendingRequest } = setUp();
  const request = { ...lendingRequest(plain), market: other };
  const failure = await catchError(loadBuildContext(depositBuilder, request, ports));
  expect(failure?.code).toBe('KLEND_MARKET_NOT_FOUND');
  expect(reads).toEqual([]);
});

/** The same accounts with a referrer. */
function withReferrer(read: AccountsAtSlot, referrer: Address): AccountsAtSlot {
  const accounts = [...read.accounts].map(([address, account]) => {
    const layout = [userMetadata, obligation].find((kind) => account && kind.matches(account));
    if (account === undefined || layout === undefined) return [address, account] as const;
    const data = account.data.slice();
    data.set(addressToBytes(referrer), layout.offsets.referrer);
    return [address, { ...account, data }] as const;
  });
  return { ...read, accounts: new Map(accounts) };
}
