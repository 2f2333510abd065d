import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import { findExtension } from '#core/protocol/spl/layout/extensions.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { unsupportedExtensions } from '#core/protocol/spl/token-extensions.ts';
import { goldenCluster, goldenFlows, readGolden } from '../support/golden/golden.ts';
import { mainnetAccounts } from '../support/mainnet/mainnet-fixtures.ts';

type Published = { size: number; fields: { name: string; offset: number }[] };

const file = new URL('../fixtures/protocol/layouts.json', import.meta.url);
const published: Record<string, Published> = JSON.parse(readFileSync(file, 'utf8')).accounts;

const programs = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ADDRESS_LOOKUP_TABLE_PROGRAM];
const kinds = [mint, tokenAccount, addressLookupTable];

test.each(kinds)('every field of $name has its published offset', (kind) => {
  const { size, fields = [] } = published[kind.name] ?? {};
  expect(kind.size).toBe(size);
  expect(Object.entries(kind.offsets)).toEqual(fields.map(({ name, offset }) => [name, offset]));
});

/** Checks the round trip and returns the account type, with a plus for extensions. */
function checkAccount(raw: RawAccount): string {
  const matching = kinds.filter((kind) => kind.matches(raw));
  expect(matching).toHaveLength(1);
  if (mint.matches(raw)) {
    const value = mint.decode(raw);
    expect(bytesEqual(mint.encode(value), raw.data)).toBe(true);
    expect(mint.view(raw).supply).toBe(value.supply);
    return value.extensions === undefined ? 'mint' : 'mint+';
  }
  if (tokenAccount.matches(raw)) {
    const value = tokenAccount.decode(raw);
    expect(bytesEqual(tokenAccount.encode(value), raw.data)).toBe(true);
    expect(tokenAccount.view(raw).owner).toBe(value.owner);
    return value.extensions === undefined ? 'account' : 'account+';
  }
  const value = addressLookupTable.decode(raw);
  expect(bytesEqual(addressLookupTable.encode(value), raw.data)).toBe(true);
  expect([...addressLookupTable.view(raw).addresses]).toEqual(value.addresses);
  return 'table';
}

function checkAll(accounts: Iterable<RawAccount | undefined>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const raw of accounts) {
    if (raw === undefined || !programs.includes(raw.owner)) continue;
    const name = checkAccount(raw);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('every token account, mint and lookup table of the cluster round-trips', () => {
  expect(checkAll(goldenCluster().accounts.values())).toEqual({
    mint: 18,
    'mint+': 1,
    account: 84,
    'account+': 4,
    table: 5,
  });
});

test('every token account, mint and lookup table before and after the flows round-trips', () => {
  const counts = goldenFlows().map(({ before, after }) =>
    checkAll([...before.values(), ...after.values()]),
  );
  expect(counts.every(({ account = 0 }) => account > 0)).toBe(true);
  expect(counts.some((count) => count['mint+'] !== undefined)).toBe(true);
});

test('the extensions of the Token-2022 mint of the cluster are supported', () => {
  const extended = [...goldenCluster().accounts.values()].filter(
    (raw) => raw.owner === TOKEN_2022_PROGRAM && mint.matches(raw),
  );
  const [value] = extended.map((raw) => mint.decode(raw));
  expect(value?.extensions?.entries.map(({ kind }) => kind)).toEqual([
    'mintCloseAuthority',
    'permanentDelegate',
    'metadataPointer',
  ]);
  const authority = findExtension(value?.extensions, 'mintCloseAuthority')?.value.closeAuthority;
  expect(findExtension(value?.extensions, 'permanentDelegate')?.value.delegate).toBe(authority);
  expect(value && unsupportedExtensions(value)).toEqual([]);
});

test('the lookup tables of the cluster have the listed addresses', () => {
  const cluster = JSON.stringify(readGolden('cluster.json'));
  const tables = [...goldenCluster().accounts.values()].filter((raw) =>
    addressLookupTable.matches(raw),
  );
  const addresses = tables.flatMap((raw) => addressLookupTable.decode(raw).addresses);
  const bytes = tables.reduce((sum, { data }) => sum + data.length - 56, 0);
  expect(addresses.length).toBe(bytes / 32);
  expect(addresses.length).toBeGreaterThan(0);
  const listed = addresses.filter((address) => cluster.includes(address));
  expect(listed.length).toBeGreaterThan(addresses.length / 2);
});

test('recorded mints, token accounts and lookup tables round-trip', () => {
  expect(checkAll(mainnetAccounts())).toEqual({ mint: 10, account: 13, table: 1 });
});
