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
import { loadBuildContext } from '#server/features/transactions/builder/load-build-context.ts';
import { WalletCache } from '#server/features/transactions/builder/wallet-cache.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { seededBytes } from '../../support/random/seeded-bytes.ts';

/** Of the golden cluster: its metadata names a table. */
const withTable = toAddress('GH4gCGq6bUVLn3jrDmdWms5aHEw5JCCAC7dZJnw2FmyJ');
const table = toAddress('6nXD3KGTJjJFrJVLrZNqq2ACqb7rTApGzQ4PZALHk5v4');
/** Its metadata names nothing. */
const plain = toAddress('RewtQu2aoVnQCw3DEKCq7jiRBCjXht1c7nQGo8xBMpH');
const market = toAddress('9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES');
const stranger = addressFromBytes(seededBytes(5, 32));
const other = addressFromBytes(seededBytes(7, 32));

type Read = { readonly addresses: readonly Address[]; readonly minSlot: bigint | undefined };

/** The golden cluster, what was read of it, and what a test changes about the answers. */
function setUp(change: (read: AccountsAtSlot) => AccountsAtSlot = (read) => read) {
  const still = staticCluster();
  const asked: Read[] = [];
  const cluster: Cluster = {
    ...still,
    async readAccounts(addresses, minSlot) {
      asked.push({ addresses, minSlot });
      return change(await still.readAccounts(addresses));
    },
  };
  const [held] = cluster.reader.reservesOf(market);
  if (held === undefined) throw new Error('no reserve');
  const lend = (wallet: Address) => ({ wallet, market, reserve: held.address, amount: 1_000n });
  return { cluster, asked, reserve: held, lend, ports: { cluster, walletCache: new WalletCache() } };
}

/** A builder that needs these, one list after the other. */
const needing = (...lists: readonly (readonly Address[])[]): Builder<{ wallet: Address }> => ({
  requiredAccounts: (_, { accounts }) =>
    lists.find((list) => list.some((address) => !accounts.has(address))) ?? [],
  build: () => {
    throw new Error('nothing is built here');
  },
});

test('a wallet that names nothing costs one read, each time', async () => {
  const { ports, asked, lend } = setUp();
  for (let build = 1; build <= 3; build++) {
    expect((await loadBuildContext(depositBuilder, lend(plain), ports)).reads).toBe(1);
    expect(asked).toHaveLength(build);
  }
  expect(asked.every(({ addresses }) => addresses.length <= 100)).toBe(true);
});

test('a wallet with a table costs a second read once, and one read from then on', async () => {
  const { ports, asked, lend } = setUp();
  const first = await loadBuildContext(depositBuilder, lend(withTable), ports);
  expect(first.reads).toBe(2);
  expect(asked[1]?.addresses).toEqual([table]);
  const second = await loadBuildContext(borrowBuilder, lend(withTable), ports);
  expect(second.reads).toBe(1);
  expect(asked[2]?.addresses).toContain(table);
  expect(second.context.accounts.get(table)).toEqual(first.context.accounts.get(table));
  expect(asked).toHaveLength(3);
});

test('a wallet with a referrer costs a second read once when it borrows', async () => {
  const { ports, asked, lend, reserve } = setUp((read) => withReferrer(read, stranger));
  const { program } = reserve;
  const referrerState = referrerTokenStateAddress(stranger, reserve.address, program);
  expect((await loadBuildContext(borrowBuilder, lend(plain), ports)).reads).toBe(2);
  expect(asked[1]?.addresses).toEqual([referrerState]);
  expect((await loadBuildContext(borrowBuilder, lend(plain), ports)).reads).toBe(1);
  expect(asked[2]?.addresses).toContain(referrerState);
});

test('what a wallet names later is read when it does, and remembered from then on', async () => {
  let isReferred = false;
  const { ports, lend } = setUp((read) => (isReferred ? withReferrer(read, stranger) : read));
  expect((await loadBuildContext(borrowBuilder, lend(plain), ports)).reads).toBe(1);
  isReferred = true;
  expect((await loadBuildContext(borrowBuilder, lend(plain), ports)).reads).toBe(2);
  expect((await loadBuildContext(borrowBuilder, lend(plain), ports)).reads).toBe(1);
});

test('a wallet that has nothing yet costs one read', async () => {
  const { ports, lend } = setUp();
  const { reads, context } = await loadBuildContext(depositBuilder, lend(stranger), ports);
  expect(reads).toBe(1);
  expect([...context.accounts.values()].filter((each) => each !== undefined)).toEqual([]);
});

test('a vault is read for in one go, and nothing is remembered for it', async () => {
  const { cluster, ports } = setUp();
  const [vault] = cluster.reader.vaults();
  if (vault === undefined) throw new Error('no vault');
  const request = { wallet: withTable, vault: vault.address, amount: 1_000n };
  const { reads, context } = await loadBuildContext(vaultDepositBuilder, request, ports);
  expect(reads).toBe(1);
  expect(context.marketLookupTable).toBeUndefined();
  expect(context.walletMetadata).toBeUndefined();
});

test('nothing is older than state, nor than what was read before', async () => {
  const { cluster, ports, asked } = setUp((read) => ({ ...read, slot: toSlot(read.slot + 7n) }));
  const gathered = await loadBuildContext(needing([plain], [table]), { wallet: plain }, ports);
  const state = cluster.reader.at().slot;
  expect(asked.map(({ minSlot }) => minSlot)).toEqual([state, state + 7n]);
  expect(gathered.slot).toBe(state + 7n);
});

test('an endpoint behind state is not built on', async () => {
  const still = staticCluster();
  const at = { ...still.reader.at(), slot: toSlot(still.reader.at().slot + 1n) };
  const cluster = { ...still, reader: { ...still.reader, at: () => at } };
  const ports = { cluster, walletCache: new WalletCache() };
  const failure = await catchError(loadBuildContext(needing([plain]), { wallet: plain }, ports));
  expect(failure?.code).toBe('SOURCE_LAGS');
});

test('a builder that never has enough is given up', async () => {
  const { ports, asked } = setUp();
  const builder = needing([plain], [table], [market], [stranger]);
  const failure = await catchError(loadBuildContext(builder, { wallet: plain }, ports));
  expect(failure?.code).toBe('UNSAFE_BUILD');
  expect(failure?.message).toContain(stranger);
  expect(asked).toHaveLength(3);
});

test('the table of a market is the one of the registry, where it has one', async () => {
  const { cluster, ports, lend } = setUp();
  const tableWith = async (lookupTable: string): Promise<BuildContext['marketLookupTable']> => {
    const facts = { address: market, programId: market, name: '', description: '' };
    const flags = { isPrimary: false, isCurated: false };
    const listed = { ...facts, ...flags, lookupTable: toAddress(lookupTable) };
    const registry = createRegistry({ ...emptyRegistry, markets: [listed] });
    const served = { ...ports, cluster: { ...cluster, registry } };
    return (await loadBuildContext(depositBuilder, lend(plain), served)).context.marketLookupTable;
  };
  expect(await tableWith(table)).toBe(table);
  expect(await tableWith('11111111111111111111111111111111')).toBeUndefined();
  expect(
    (await loadBuildContext(depositBuilder, lend(plain), ports)).context.marketLookupTable,
  ).toBeUndefined();
});

test('an unknown market is refused before anything is read', async () => {
  const { ports, asked, lend } = setUp();
  const request = { ...lend(plain), market: other };
  const failure = await catchError(loadBuildContext(depositBuilder, request, ports));
  expect(failure?.code).toBe('KLEND_MARKET_NOT_FOUND');
  expect(asked).toEqual([]);
});

/** The same accounts, their owners brought in by someone. */
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
