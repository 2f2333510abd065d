import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { catchError } from '../support/errors/catch-error.ts';
import { FUZZ_SEED_NUMBER } from '../support/fuzz/fuzz-settings.ts';
import { assertProperty } from '../support/properties/assert-property.ts';
import { fieldDifferences } from '../support/protocol/field-differences.ts';
import { type AccountKind, accountKinds, randomAccount } from '../support/random/account-kinds.ts';
import { seededBytes, seeds } from '../support/random/seeded-bytes.ts';

const TOKEN_PROGRAM = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

const everyOwner = [...new Set(accountKinds.flatMap(({ owners }) => owners))];

function expectError({ account }: AccountKind, raw: RawAccount, code: string): void {
  expect([raw.data.length, catchError(() => account.decode(raw))?.code]).toEqual([
    raw.data.length,
    code,
  ]);
  expect([raw.data.length, catchError(() => account.view(raw))?.code]).toEqual([
    raw.data.length,
    code,
  ]);
}

const changed = (data: Uint8Array, at: number, bit: number): Uint8Array =>
  data.map((byte, i) => (i === at ? byte ^ bit : byte));

test.each(accountKinds)('$name is accepted from each of its owners', (kind) => {
  const { data } = randomAccount(kind, 1);
  for (const owner of kind.owners) {
    expect(kind.account.matches({ owner, data })).toBe(true);
    expect(catchError(() => kind.account.decode({ owner, data }))?.code).toBeUndefined();
    expect(catchError(() => kind.account.view({ owner, data }))?.code).toBeUndefined();
  }
});

test.each(accountKinds)('$name of any other owner throws ACCOUNT_WRONG_OWNER', (kind) => {
  const { data } = randomAccount(kind, 2);
  const others = everyOwner.filter((owner) => !kind.owners.includes(owner));
  for (const owner of [...others, TOKEN_PROGRAM, ZERO_ADDRESS]) {
    expectError(kind, { owner, data }, 'ACCOUNT_WRONG_OWNER');
    expect(kind.account.matches({ owner, data })).toBe(false);
  }
});

test.each(accountKinds)(
  '$name that is truncated throws ACCOUNT_WRONG_SIZE, a longer one is read',
  (kind) => {
    const { owner, data } = randomAccount(kind, 3);
    const { size } = kind.account;
    const decoded = kind.account.decode({ owner, data });
    const cuts = [0, 1, 7, 8, 9, 16, size >> 1, size - 32, size - 8, size - 1];
    for (const length of cuts) {
      const cut = { owner, data: data.subarray(0, length) };
      expectError(kind, cut, 'ACCOUNT_WRONG_SIZE');
      expect(kind.account.matches(cut)).toBe(false);
    }
    for (const more of [1, 8, 1000]) {
      const long = new Uint8Array(size + more);
      long.set(data);
      expect(kind.account.matches({ owner, data: long })).toBe(true);
      expect(isDeepStrictEqual(kind.account.decode({ owner, data: long }), decoded)).toBe(true);
    }
  },
);

test.each(accountKinds)(
  '$name with another discriminator throws ACCOUNT_WRONG_DISCRIMINATOR',
  (kind) => {
    const { owner, data } = randomAccount(kind, 4);
    for (let at = 0; at < 8; at++) {
      for (const bit of [1, 128]) {
        const other = { owner, data: changed(data, at, bit) };
        expectError(kind, other, 'ACCOUNT_WRONG_DISCRIMINATOR');
        expect(kind.account.matches(other)).toBe(false);
      }
    }
    expectError(kind, { owner, data: new Uint8Array(data.length) }, 'ACCOUNT_WRONG_DISCRIMINATOR');
  },
);

test.each(accountKinds.filter(({ version }) => version !== undefined))(
  '$name of an unknown version throws ACCOUNT_UNKNOWN_VERSION',
  (kind) => {
    const { owner, data } = randomAccount(kind, 5);
    for (const version of [0n, 2n, 257n, 1n << 32n, (1n << 63n) + 1n, (1n << 64n) - 1n]) {
      const other = data.slice();
      new DataView(other.buffer).setBigUint64(8, version, true);
      expectError(kind, { owner, data: other }, 'ACCOUNT_UNKNOWN_VERSION');
    }
  },
);

test('an account matches one type only, even if two programs share a discriminator', () => {
  for (const kind of accountKinds) {
    const raw = randomAccount(kind, 6);
    const matching = accountKinds.filter(({ account }) => account.matches(raw));
    expect(matching.map(({ name }) => name)).toEqual([kind.name]);
    const decodable = accountKinds.filter(
      ({ account }) => catchError(() => account.decode(raw))?.code === undefined,
    );
    expect(decodable.map(({ name }) => name)).toEqual([kind.name]);
  }
});

test(`property: bytes of any length and owner decode or throw a coded error, FUZZ_SEED=${FUZZ_SEED_NUMBER}`, () => {
  const sizes = fc.oneof(
    fc.nat(200),
    fc.constantFrom(
      ...accountKinds.map(({ account }) => account.size).filter((size) => size < 70_000),
    ),
  );
  const starts = fc.constantFrom(
    undefined,
    ...accountKinds.map(({ account }) => account.discriminator),
  );
  const owners = fc.constantFrom(...everyOwner, TOKEN_PROGRAM);
  assertProperty(
    fc.property(seeds, sizes, fc.tuple(starts, owners), (seed, size, [start, owner]) => {
      const data = seededBytes(seed, size);
      if (start !== undefined && size >= 8) data.set(start);
      for (const { account } of accountKinds) {
        const code = catchError(() => account.decode({ owner, data }))?.code;
        expect(catchError(() => account.view({ owner, data }))?.code).toBe(code);
        expect(code === undefined || /^ACCOUNT_(WRONG|UNKNOWN)_/.test(code)).toBe(true);
        if (code === undefined) expect(account.matches({ owner, data })).toBe(true);
      }
    }),
    300,
    { seed: FUZZ_SEED_NUMBER },
  );
});

test.each(accountKinds)('a $name of all ones or all zeros decodes', (kind) => {
  for (const fill of [0, 255]) {
    const raw = randomAccount(kind, 7);
    raw.data.fill(fill, kind.version === undefined ? 8 : 16);
    const value = kind.account.decode(raw);
    expect(fieldDifferences(kind.account.body, [value, kind.account.view(raw)])).toEqual([]);
    expect(Buffer.from(kind.account.encode(value)).equals(raw.data)).toBe(true);
  }
});
