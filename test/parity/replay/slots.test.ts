import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import type { ObservedSlot } from '#localnet/replay/observed-slot.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import type { SlotProof } from '#localnet/replay/slot-proof.ts';
import { flowSnapshots } from '../../support/flows/flow-snapshots.ts';
import { RECORDED_BUILD_RULES } from '../../support/golden/recorded-build.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';
import { calledByAnother, changedResponse } from '../../support/replay/changed-response.ts';
import { observedFlow } from '../../support/replay/golden-slots.ts';

const slots = new Map(
  flowSnapshots().map((snapshot) => [snapshot.flow.name.slice(0, 2), observedFlow(snapshot)]),
);
const successful = [...slots].flatMap(([number, slot]) => (number < '90' ? slot : []));

function slotOf(number: string): ObservedSlot {
  const slot = slots.get(number);
  if (slot === undefined) throw new Error(`no flow ${number}`);
  return slot;
}

const replay = (slot: ObservedSlot): SlotProof => replaySlot(slot, RECORDED_BUILD_RULES);

const verdictsOf = ({ accounts, transactions }: SlotProof): string[] => [
  ...new Set([...transactions, ...accounts].map(({ verdict, reason }) => reason ?? verdict)),
];

const withAccount = (
  accounts: ObservedSlot['before'],
  address: Address,
  account: ClusterAccount | undefined,
): ObservedSlot['before'] => new Map(accounts).set(address, account);

function without(accounts: ObservedSlot['before'], address: Address): ObservedSlot['before'] {
  const rest = new Map(accounts);
  rest.delete(address);
  return rest;
}

const withResponse = (slot: ObservedSlot, response: unknown): ObservedSlot => ({
  ...slot,
  transactions: slot.transactions.map((transaction) => ({ ...transaction, response })),
});

test('property: a flipped byte of a written account is found, with its offset', () => {
  const picks = fc.tuple(
    fc.constantFrom(...successful),
    fc.nat(),
    fc.nat(),
    fc.integer({ min: 1, max: 255 }),
  );
  assertProperty(
    fc.property(picks, ([slot, pick, at, bits]) => {
      const written = replay(slot).accounts.filter(({ address }) => slot.after.get(address));
      const address = written[pick % written.length]?.address;
      const account = address && slot.after.get(address);
      if (address === undefined || account === undefined) return;
      const data = account.data.slice();
      // the discriminator tells what the account is
      const offset = 8 + (at % (data.length - 8));
      data[offset] = (data[offset] ?? 0) ^ bits;
      const after = withAccount(slot.after, address, { ...account, data });
      const differing = replay({ ...slot, after }).accounts.filter(
        ({ verdict }) => verdict === 'differing',
      );
      expect(differing.map((proof) => proof.address)).toEqual([address]);
      expect(differing[0]?.differences).toMatchObject([{ offset }]);
    }),
    60,
  );
});

test('property: no change of a response throws', () => {
  const picks = fc.tuple(fc.constantFrom(...slots.values()), fc.nat(), fc.jsonValue());
  assertProperty(
    fc.property(picks, ([slot, position, value]) => {
      const [transaction] = slot.transactions;
      const response = changedResponse(transaction?.response, position, value);
      const { transactions } = replay(withResponse(slot, response));
      expect(transactions).toHaveLength(1);
    }),
    100,
  );
});

test.each([undefined, null, 'text', [], {}, { meta: {}, transaction: {} }])(
  'the response %j is unreadable, and what the slot changed is not provable',
  (response) => {
    const verdicts = verdictsOf(replay(withResponse(slotOf('02'), response)));
    expect(verdicts).toEqual(['transactionUnreadable']);
  },
);

test('an account that nobody saw before is not provable, and neither is what depends on it', () => {
  const slot = slotOf('02');
  const address = replay(slot).accounts.find(({ kind }) => kind === 'reserve')?.address;
  if (address === undefined) throw new Error('no reserve');
  const { accounts, transactions } = replay({ ...slot, before: without(slot.before, address) });
  expect(transactions).toMatchObject([
    { verdict: 'notProvable', reason: 'accountUnknown', detail: address },
  ]);
  expect(accounts.every(({ verdict }) => verdict === 'notProvable')).toBe(true);
});

test('an account that nobody saw afterwards is not provable, the others are', () => {
  const slot = slotOf('02');
  const [written] = replay(slot).accounts;
  if (written === undefined) throw new Error('nothing was written');
  const { accounts } = replay({ ...slot, after: without(slot.after, written.address) });
  const verdict = (address: Address) => accounts.find((each) => each.address === address);
  expect(verdict(written.address)).toMatchObject({ reason: 'stateAfterUnknown' });
  expect(accounts.filter((each) => each.verdict === 'proven')).toHaveLength(accounts.length - 1);
});

test('without transactions only the interest of reserves is proven', () => {
  const slot = { ...slotOf('16'), transactions: [], isComplete: false };
  const { accounts } = replay(slot);
  const reserves = accounts.filter(({ kind }) => kind === 'reserve');
  expect(reserves.length).toBeGreaterThan(0);
  expect(new Set(reserves.map(({ verdict }) => verdict))).toEqual(new Set(['proven']));
  expect(reserves[0]?.instructions).toEqual(['accrual']);
  const others = accounts.filter(({ kind }) => kind !== 'reserve');
  expect(new Set(others.map(({ reason }) => reason))).toEqual(new Set(['transactionMissing']));
});

test('without transactions another interest of a reserve differs', () => {
  const slot = slotOf('16');
  const changed = replay(slot).accounts.find(({ kind }) => kind === 'reserve');
  const account = changed && slot.after.get(changed.address);
  if (changed === undefined || account === undefined) throw new Error('no reserve');
  const fields = reserve.decode(account);
  const rate = fields.liquidity.cumulativeBorrowRateBsf;
  const data = account.data.slice();
  const at = findBytes(data, rate.value);
  data[at] = (data[at] ?? 0) ^ 1;
  const after = withAccount(slot.after, changed.address, { ...account, data });
  const proof = replay({ ...slot, after, transactions: [], isComplete: false });
  expect(proof.accounts.filter(({ verdict }) => verdict === 'differing')).toMatchObject([
    {
      address: changed.address,
      differences: [{ field: 'liquidity.cumulativeBorrowRateBsf', offset: at }],
    },
  ]);
});

test('another balance of a token is a difference of the transaction', () => {
  const slot = slotOf('02');
  const text = JSON.stringify(slot.transactions[0]?.response);
  const [head = '', tail = ''] = text.split('"postTokenBalances"');
  const amount = /"amount":"(\d+)"/.exec(tail)?.[1] ?? '';
  const other = `${BigInt(amount) + 1n}`;
  const response: unknown = JSON.parse(
    `${head}"postTokenBalances"${tail.replace(`"amount":"${amount}"`, `"amount":"${other}"`)}`,
  );
  const { transactions } = replay(withResponse(slot, response));
  expect(transactions).toMatchObject([
    { verdict: 'differing', differences: [{ expected: amount, actual: other }] },
  ]);
});

test('another error of a failed transaction is a difference', () => {
  const slot = slotOf('90');
  const text = JSON.stringify(slot.transactions[0]?.response).replaceAll('6013', '6014');
  const { transactions } = replay(withResponse(slot, JSON.parse(text)));
  expect(transactions).toMatchObject([
    {
      verdict: 'differing',
      differences: [{ expected: 'instruction 5: 6013', actual: 'instruction 5: 6014' }],
    },
  ]);
});

test('a difference may come from a transaction that nobody saw', () => {
  const slot = slotOf('02');
  const [written] = replay(slot).accounts;
  const account = written && slot.after.get(written.address);
  if (written === undefined || account === undefined) throw new Error('nothing was written');
  const data = account.data.slice();
  data[40] = (data[40] ?? 0) ^ 1;
  const after = withAccount(slot.after, written.address, { ...account, data });
  const { accounts } = replay({ ...slot, after, isComplete: false });
  expect(accounts.some(({ verdict }) => verdict === 'differing')).toBe(false);
});

/** The recorded prices, and others with which the transaction would not have had this result. */
function otherPrices(slot: ObservedSlot, factor: bigint): ObservedSlot['before'] {
  const changed = [...slot.before].flatMap(([address, account]) => {
    if (account === undefined || !oraclePrices.matches(account)) return [];
    const fields = oraclePrices.decode(account);
    const prices = fields.prices.map((entry) => ({
      ...entry,
      price: { ...entry.price, value: (entry.price.value * factor) / 100n },
    }));
    return [[address, { ...account, data: oraclePrices.encode({ ...fields, prices }) }] as const];
  });
  return new Map(changed);
}

/** It loads prices: those that the reserves had were too old. */
const WITH_PRICES = '03';

test('prices that an oracle wrote before the transaction are found', () => {
  const slot = slotOf(WITH_PRICES);
  const before = new Map([...slot.before, ...otherPrices(slot, 150n)]);
  expect(verdictsOf(replay({ ...slot, before }))).toEqual(['proven']);
});

test('prices that an oracle wrote after the transaction do not matter', () => {
  const slot = slotOf(WITH_PRICES);
  const after = new Map([...slot.after, ...otherPrices(slot, 150n)]);
  expect(verdictsOf(replay({ ...slot, after }))).toEqual(['proven']);
});

test('with prices that nobody saw, only what prices do not change is a difference', () => {
  const slot = slotOf(WITH_PRICES);
  const prices = {
    before: new Map([...slot.before, ...otherPrices(slot, 150n)]),
    after: new Map([...slot.after, ...otherPrices(slot, 80n)]),
  };
  const { accounts } = replay({ ...slot, ...prices });
  expect(accounts.some(({ reason }) => reason === 'priceUnknown')).toBe(true);
  expect(accounts.some(({ verdict }) => verdict === 'differing')).toBe(false);
  const [written] = accounts.filter(({ kind }) => kind === 'reserve');
  const account = written && slot.after.get(written.address);
  if (written === undefined || account === undefined) throw new Error('no reserve');
  const data = account.data.slice();
  const at = findBytes(data, reserve.decode(account).liquidity.cumulativeBorrowRateBsf.value);
  data[at] = (data[at] ?? 0) ^ 1;
  const after = withAccount(prices.after, written.address, { ...account, data });
  const differing = replay({ ...slot, ...prices, after }).accounts.filter(
    ({ verdict }) => verdict === 'differing',
  );
  expect(differing.map(({ address }) => address)).toEqual([written.address]);
});

test('calls of a program that is not modelled are executed', () => {
  const slot = slotOf('26');
  const response = slot.transactions[0]?.response;
  expect(verdictsOf(replay(withResponse(slot, calledByAnother(response))))).toEqual(['proven']);
});

test('calls of a program that is not modelled are not provable without their record', () => {
  const slot = slotOf('26');
  const response = calledByAnother(slot.transactions[0]?.response, null);
  expect(verdictsOf(replay(withResponse(slot, response)))).not.toContain('differing');
  expect(verdictsOf(replay(withResponse(slot, response)))).not.toContain('proven');
});

/** Where the low bytes of a number are in an account. */
function findBytes(data: Uint8Array, value: bigint): number {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt.asUintN(64, value), true);
  view.setBigUint64(8, BigInt.asUintN(64, value >> 64n), true);
  return Buffer.from(data).indexOf(bytes);
}
