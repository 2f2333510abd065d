import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenCluster, goldenFlows } from '../../../../test/support/golden/golden.ts';
import { mainnetAccounts } from '../../../../test/support/mainnet/mainnet-fixtures.ts';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { seededBytes, seeds } from '../../../../test/support/random/seeded-bytes.ts';
import { type Address, addressFromBytes } from '../base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '../base/encoding/layout.ts';
import type { AccountCodec, RawAccount } from '../base/solana/account.ts';
import { toSlot } from '../base/time.ts';
import { userState } from '../protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '../protocol/farms/program.ts';
import { obligation } from '../protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../protocol/klend/program.ts';
import { AccountPacker } from './account-packer.ts';
import { addressKey } from './address-key.ts';
import { KeyDictionary } from './key-dictionary.ts';
import { PackedAccountStore } from './packed-account-store.ts';
import { planPackingBlocks } from './packing-plan.ts';

const obligations = () =>
  new PackedAccountStore({ account: obligation, group: 'lendingMarket', keys: ['owner'] });
const farmUsers = () =>
  new PackedAccountStore({ account: userState, group: 'farmState', keys: ['owner', 'delegatee'] });

/** Seeds are odd: an even seed gives the bytes of the next one. */
const keyOf = (number: number): Uint8Array => seededBytes(number * 2 + 1, 32);
const addressOf = (number: number): Address => addressFromBytes(keyOf(number));

/** Reads all fields of a view, so that it can be encoded and compared byte by byte. */
function readAll<S extends Shape>(account: AccountCodec<S>, view: object): Decoded<Struct<S>> {
  const data = new Uint8Array(account.size);
  const target = new DataView(data.buffer);
  account.body.encode(target, 8, toPlain(view, account.body) as Decoded<Struct<S>>);
  return account.body.decode(target, 8);
}

type Parts = { readonly parts?: AccountCodec<Shape>['body']['parts'] };

function toPlain(view: unknown, { parts }: Parts): unknown {
  if (parts?.kind === 'array') {
    return [...(view as Iterable<unknown>)].map((item) => toPlain(item, parts.item));
  }
  if (parts?.kind !== 'struct') return view;
  const fields = view as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(parts.shape).map(([name, field]) => [name, toPlain(fields[name], field)]),
  );
}

function storeAndRead<S extends Shape>(
  packed: PackedAccountStore<S>,
  account: AccountCodec<S>,
  raw: RawAccount,
): unknown {
  const address = addressOf(1);
  packed.put({ key: addressKey(address), ...raw, slot: toSlot(1n) });
  const stored = packed.get(address);
  if (stored === undefined) throw new Error('not stored');
  expect(stored.address).toBe(address);
  expect(stored.program).toBe(raw.owner);
  return readAll(account, stored.fields);
}

/** Golden accounts before, between and after all flows. */
function goldenStates(): RawAccount[] {
  const changed = goldenFlows().flatMap(({ before, after }) => [
    ...before.values(),
    ...after.values(),
  ]);
  return [...goldenCluster().accounts.values(), ...changed].filter((raw) => raw !== undefined);
}

test('golden obligations and farm users are restored byte for byte, padding included', () => {
  const states = goldenStates();
  const loans = states.filter((raw) => obligation.matches(raw));
  const users = states.filter((raw) => userState.matches(raw));
  expect(loans.length).toBeGreaterThan(50);
  expect(users.length).toBeGreaterThan(30);
  for (const raw of loans) {
    expect(storeAndRead(obligations(), obligation, raw)).toEqual(obligation.decode(raw));
  }
  for (const raw of users) {
    expect(storeAndRead(farmUsers(), userState, raw)).toEqual(userState.decode(raw));
  }
});

test('mainnet obligations and farm users are restored', () => {
  const recorded = mainnetAccounts();
  const loans = recorded.filter((raw) => obligation.matches(raw));
  expect(loans.length).toBeGreaterThan(0);
  for (const { owner, data } of loans) {
    const raw = { owner, data };
    expect(storeAndRead(obligations(), obligation, raw)).toEqual(obligation.decode(raw));
  }
  for (const { owner, data } of recorded.filter((raw) => userState.matches(raw))) {
    const raw = { owner, data };
    expect(storeAndRead(farmUsers(), userState, raw)).toEqual(userState.decode(raw));
  }
});

/** Runs of random bytes, zeros, 255s and a repeated word: the cases of the packer. */
function randomRuns(seed: number, size: number): Uint8Array {
  const data = seededBytes(seed, size);
  const choices = seededBytes(seed ^ 0x5bd1e995, size);
  let at = 0;
  for (let turn = 0; at < size; turn++) {
    const length = 1 + ((choices[turn] ?? 0) % 96);
    const kind = (choices[size - 1 - (turn % size)] ?? 0) % 5;
    if (kind === 0) data.fill(0, at, at + length);
    if (kind === 1) data.fill(255, at, at + length);
    if (kind === 2) data.copyWithin(at, 0, Math.min(length, size - at));
    if (kind === 3) data.fill(0, at, at + length * 4);
    at += kind === 3 ? length * 4 : length;
  }
  return data;
}

test('property: any bytes are restored', () => {
  const loans = obligations();
  const users = farmUsers();
  assertProperty(
    fc.property(seeds, (seed) => {
      const loan = randomRuns(seed, obligation.size);
      loan.set(obligation.discriminator);
      const raw = { owner: KLEND_PROGRAM, data: loan };
      expect(storeAndRead(loans, obligation, raw)).toEqual(obligation.decode(raw));
      const user = randomRuns(seed, userState.size);
      user.set(userState.discriminator);
      const rawUser = { owner: FARMS_PROGRAM, data: user };
      expect(storeAndRead(users, userState, rawUser)).toEqual(userState.decode(rawUser));
    }),
    60,
  );
});

test('keys beyond the dictionary limit are stored literally', () => {
  const dictionary = new KeyDictionary(3);
  const blocks = planPackingBlocks({ body: obligation.body, start: 8 }, []);
  const packer = new AccountPacker({ blocks, size: obligation.size, dictionary });
  const target = new Uint8Array(obligation.size * 2);
  for (const seed of [1, 3, 5]) {
    const data = seededBytes(seed, obligation.size);
    const length = packer.pack(data, target);
    const read = new Uint8Array(obligation.size);
    packer.unpack(target.subarray(0, length), read);
    expect(read.subarray(8)).toEqual(data.subarray(8));
  }
});

type Model = { owner: number; market: number; program: Address; amount: bigint };

function exampleLoan({ owner, market, program, amount }: Model): RawAccount {
  const data = new Uint8Array(obligation.size);
  const target = new DataView(data.buffer);
  data.set(obligation.discriminator);
  data.set(keyOf(owner), obligation.offsets.owner);
  data.set(keyOf(market), obligation.offsets.lendingMarket);
  target.setBigUint64(obligation.offsets.highestBorrowFactorPct, amount, true);
  return { owner: program, data };
}

const models = fc.record({
  owner: fc.integer({ min: 100, max: 104 }),
  market: fc.integer({ min: 200, max: 202 }),
  program: fc.constantFrom(KLEND_PROGRAM, KLEND_STAGING_PROGRAM),
  amount: fc.bigInt(0n, 2n ** 64n - 1n),
});

const steps = fc.array(
  fc.record({
    account: fc.integer({ min: 1, max: 40 }),
    model: fc.option(models, { nil: undefined }),
  }),
  { maxLength: 150 },
);

test('property: after any puts and removals every index matches a plain map', () => {
  assertProperty(
    fc.property(steps, (all) => {
      const packed = obligations();
      const expected = new Map<Address, Model>();
      for (const { account, model } of all) {
        const address = addressOf(account);
        const key = addressKey(address);
        if (model === undefined) {
          packed.remove(key);
          expected.delete(address);
        } else {
          packed.put({ key, ...exampleLoan(model), slot: toSlot(1n) });
          expected.set(address, model);
        }
      }
      expect(packed.count).toBe(expected.size);
      for (let account = 1; account <= 40; account++) {
        const model = expected.get(addressOf(account));
        const stored = packed.get(addressOf(account));
        expect(stored?.fields.highestBorrowFactorPct).toBe(model?.amount);
        expect(stored?.program).toBe(model?.program);
      }
      const addressesOf = (is: (model: Model) => boolean) =>
        [...expected]
          .filter(([, model]) => is(model))
          .map(([address]) => address)
          .sort();
      for (let owner = 100; owner <= 105; owner++) {
        const found = packed.withKey(0, addressOf(owner));
        expect(found.map(({ address }) => address)).toEqual(
          addressesOf((model) => model.owner === owner),
        );
        for (const { fields } of found) expect(fields.owner).toBe(addressOf(owner));
      }
      for (let market = 200; market <= 203; market++) {
        const found = [...packed.inGroup(addressOf(market))].map(({ address }) => address).sort();
        expect(found).toEqual(addressesOf((model) => model.market === market));
      }
    }),
    60,
  );
});

test('iterated accounts do not leak into each other', () => {
  const packed = obligations();
  const full = seededBytes(5, obligation.size);
  const empty = new Uint8Array(obligation.size);
  const market = full.slice(obligation.offsets.lendingMarket).subarray(0, 32);
  empty.set(market, obligation.offsets.lendingMarket);
  for (const [number, data] of [full, empty, full].entries()) {
    data.set(obligation.discriminator);
    const key = addressKey(addressOf(number));
    packed.put({ key, owner: KLEND_PROGRAM, data, slot: toSlot(1n) });
  }
  const read = [...packed.inGroup(addressFromBytes(market))].length;
  expect(read).toBe(3);
  for (const stored of packed.inGroup(addressFromBytes(market))) {
    const data = stored.address === addressOf(1) ? empty : full;
    expect(readAll(obligation, stored.fields)).toEqual(
      obligation.decode({ owner: KLEND_PROGRAM, data }),
    );
  }
});

test('an account that shrinks and grows reuses its memory', () => {
  const packed = obligations();
  const key = addressKey(addressOf(1));
  const empty = new Uint8Array(obligation.size);
  empty.set(obligation.discriminator);
  const full = seededBytes(5, obligation.size);
  full.set(obligation.discriminator);
  packed.put({ key, owner: KLEND_PROGRAM, data: full, slot: toSlot(1n) });
  const before = packed.byteLength;
  for (let turn = 0; turn < 2000; turn++) {
    const data = turn % 2 === 0 ? empty : full;
    packed.put({ key, owner: KLEND_PROGRAM, data, slot: toSlot(BigInt(turn)) });
  }
  expect(packed.byteLength).toBe(before);
});

test('twenty thousand loans like the golden ones take at most 300 bytes each', () => {
  const packed = obligations();
  const originals = [...goldenCluster().accounts.values()].filter((raw) => obligation.matches(raw));
  for (let i = 0; i < 20_000; i++) {
    const original = originals[i % originals.length];
    if (original === undefined) throw new Error('no golden obligations');
    const data = original.data.slice();
    data.set(keyOf(i), obligation.offsets.owner);
    packed.put({
      key: addressKey(addressOf(i + 1)),
      owner: original.owner,
      data,
      slot: toSlot(1n),
    });
  }
  expect(packed.count).toBe(20_000);
  expect(packed.byteLength / packed.count).toBeLessThanOrEqual(300);
});

test('property: an account is held exactly if storing it changes nothing', () => {
  const states = goldenStates().filter((raw) => obligation.matches(raw));
  const picks = fc.array(
    fc.record({ key: fc.nat(2), state: fc.nat(states.length - 1), isStaging: fc.boolean() }),
    { maxLength: 30 },
  );
  assertProperty(
    fc.property(picks, (writes) => {
      const packed = obligations();
      for (const { key, state, isStaging } of writes) {
        const data = states[state]?.data.slice() ?? new Uint8Array();
        const owner = isStaging ? KLEND_STAGING_PROGRAM : KLEND_PROGRAM;
        const content = { key: addressKey(addressOf(key)), owner, data };
        const isHeld = packed.holds(content);
        expect(packed.put({ ...content, slot: toSlot(1n) })).toBe(!isHeld);
        expect(packed.holds(content)).toBe(true);
      }
    }),
    100,
  );
});
