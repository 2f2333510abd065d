import { type Address, type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { repeatedByteAddress } from '../../../../test/support/vaults/example-vault.ts';
import { Bank, type SavedBank } from './bank.ts';

const origin = { slot: toSlot(1_000n), unix: toUnixSeconds(50_000n) };
const OWNERS = [repeatedByteAddress(1), repeatedByteAddress(2)];
const ADDRESSES = [10, 11, 12, 13, 14].map((byte) => repeatedByteAddress(byte));

const addresses = fc.constantFrom(...ADDRESSES);
const accounts = fc.record({
  owner: fc.constantFrom(...OWNERS),
  // 0 deletes
  lamports: fc.bigInt(0n, 3n),
  data: fc.uint8Array({ maxLength: 4 }),
});

type Step =
  | { readonly kind: 'write'; readonly address: Address; readonly account: ClusterAccount }
  | { readonly kind: 'delete'; readonly address: Address }
  | { readonly kind: 'close'; readonly slots: bigint }
  | { readonly kind: 'save' }
  | { readonly kind: 'restore'; readonly index: number };

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('write' as const), address: addresses, account: accounts }),
    fc.record({ kind: fc.constant('delete' as const), address: addresses }),
    // beyond the retained slots too
    fc.record({ kind: fc.constant('close' as const), slots: fc.bigInt(1n, 500n) }),
    fc.record({ kind: fc.constant('save' as const) }),
    fc.record({ kind: fc.constant('restore' as const), index: fc.nat({ max: 5 }) }),
  ),
  { maxLength: 40 },
) satisfies fc.Arbitrary<Step[]>;

/** What is expected: a plain map that is copied. */
type Model = { slot: bigint; accounts: Map<Address, ClusterAccount> };

const copyOf = ({ slot, accounts: map }: Model): Model => ({ slot, accounts: new Map(map) });

function expectModel(bank: Bank, model: Model): void {
  expect(bank.slot).toBe(model.slot);
  for (const address of ADDRESSES)
    expect(bank.account(address)).toEqual(model.accounts.get(address));
}

/** After the open slot closes, so do the views by owner. */
function expectViews(bank: Bank, model: Model): void {
  bank.close(toSlot(bank.slot + 1n));
  const sorted = (list: Iterable<{ readonly address: Address }>) =>
    [...list].sort((a, b) => (a.address < b.address ? -1 : 1));
  const expected = [...model.accounts].map(([address, account]) => ({ address, account }));
  expect(sorted(bank.accounts())).toEqual(sorted(expected));
  for (const owner of OWNERS) {
    const owned = expected.filter(({ account }) => account.owner === owner);
    expect(sorted(bank.view(bank.slot).accountsOf(owner))).toEqual(sorted(owned));
  }
}

function runSteps(list: readonly Step[]): void {
  const bank = new Bank({ accounts: new Map(), origin });
  let model: Model = { slot: origin.slot, accounts: new Map() };
  const saved: { bank: SavedBank; model: Model }[] = [];
  for (const step of list) {
    switch (step.kind) {
      case 'write':
        bank.setAccount(step.address, step.account);
        if (step.account.lamports === 0n) model.accounts.delete(step.address);
        else model.accounts.set(step.address, step.account);
        break;
      case 'delete':
        bank.setAccount(step.address, undefined);
        model.accounts.delete(step.address);
        break;
      case 'close':
        bank.close(toSlot(bank.slot + step.slots));
        model.slot += step.slots;
        break;
      case 'save':
        saved.push({ bank: bank.save(), model: copyOf(model) });
        break;
      case 'restore': {
        const found = saved[step.index];
        if (found === undefined) break;
        bank.restore(found.bank);
        model = copyOf(found.model);
        break;
      }
    }
    expectModel(bank, model);
  }
  expectViews(bank, model);
}

test('property: after any writes, slots and snapshots, a restored bank has the accounts of its snapshot', () => {
  assertProperty(fc.property(steps, runSteps), 500);
});

test('subscribers see the restored values as changes of the next slot, and nothing else', () => {
  const [a, b] = [repeatedByteAddress(10), repeatedByteAddress(11)];
  const [owner] = OWNERS;
  const account = (byte: number): ClusterAccount => ({
    owner: owner ?? a,
    lamports: 1n,
    data: Uint8Array.of(byte),
  });
  const initial = new Map([
    [a, account(1)],
    [b, account(1)],
  ]);
  const bank = new Bank({ accounts: initial, origin });
  const saved = bank.save();
  bank.setAccount(a, account(2));
  bank.close(toSlot(1_010n));
  bank.restore(saved);
  expect(bank.rollBacks).toEqual([1_000n]);
  expect(bank.view(bank.slot).account(a)).toEqual(account(1));
  bank.close(toSlot(1_001n));
  expect(bank.changesBetween(toSlot(1_000n), bank.slot)).toEqual([
    { slot: 1_001n, addresses: [a] },
  ]);
});

test('an account that was added to the initial state stays when an earlier state is restored', () => {
  const [a, b] = [repeatedByteAddress(10), repeatedByteAddress(11)];
  const account: ClusterAccount = { owner: a, lamports: 1n, data: Uint8Array.of(7) };
  const bank = new Bank({ accounts: new Map(), origin });
  const saved = bank.save();
  bank.addInitialAccount(a, account);
  bank.setAccount(a, { ...account, lamports: 9n });
  bank.close(toSlot(1_001n));
  bank.setAccount(b, account);
  bank.addInitialAccount(b, { ...account, lamports: 5n });
  expect(bank.account(b)).toEqual(account);
  bank.restore(saved);
  expect(bank.account(a)).toEqual(account);
  expect(bank.account(b)).toBeUndefined();
});
