import { addressFromBytes, toSlot, toUnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  assertAsyncProperty,
  assertProperty,
} from '../../../../test/support/properties/assert-property.ts';
import { CodedError } from '../errors.ts';
import type { FeedAccount, FeedFacts, FeedMessage, FeedReply } from './feed-message.ts';
import { decodeMessage, encodeMessage, encodeMessageAsync } from './message-codec.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const addresses = bytes(32).map(addressFromBytes);
const slots = fc.bigInt(0n, 2n ** 64n - 1n).map(toSlot);
const rawAccounts = fc.record({ owner: addresses, data: fc.uint8Array({ maxLength: 300 }) });
const times = fc.record({ slot: slots, unix: fc.bigInt(-1n, 2n ** 40n).map(toUnixSeconds) });

const accounts: fc.Arbitrary<FeedAccount> = fc.oneof(
  fc.record({ address: addresses, slot: slots, account: rawAccounts }),
  fc.record({
    address: addresses,
    slot: slots,
    account: fc.constantFrom('closed' as const, 'forgotten' as const),
  }),
);

const names = fc.constantFrom('klend' as const, 'kvault' as const, 'farms' as const);
const programs = fc.record({
  deployed: fc.array(
    fc.record({
      program: names,
      address: addresses,
      deploySlot: slots,
      authority: fc.option(addresses, { nil: undefined }),
      size: fc.nat(),
      hash: fc.string(),
      release: fc.option(
        fc.record({ version: fc.string(), by: fc.constantFrom('hash' as const, 'model' as const) }),
        { nil: undefined },
      ),
    }),
  ),
  releases: fc.array(fc.record({ program: names, version: fc.string(), from: slots })),
  upgrades: fc.array(fc.record({ program: names, count: fc.nat() })),
});

const facts: fc.Arbitrary<Partial<FeedFacts>> = fc.record(
  {
    slotMs: fc.record({ numerator: fc.bigInt(), denominator: fc.bigInt() }),
    completeShareMints: fc.array(addresses),
    hasAllPositions: fc.boolean(),
    vaultHistoryVersion: fc.nat(),
    status: fc.record({
      missing: fc.array(fc.string()),
      refusedScans: fc.array(fc.string()),
      alarms: fc.constant([{ kind: 'leap', count: 2, last: { source: 's', reason: 'r', at: 5 } }]),
      lagSlots: fc.nat(),
      doubts: fc.array(
        fc.record({
          kind: fc.constantFrom('obligation' as const, 'reserve' as const),
          code: fc.constantFrom('lateUpdates' as const, 'unconfirmedAbsence' as const),
          detail: fc.string(),
          since: slots,
        }),
      ),
    }),
    marketTables: fc.array(fc.tuple(addresses, addresses)),
    stakePools: fc.array(fc.tuple(addresses, rawAccounts)),
    programs,
    drift: fc.record({
      kinds: fc.array(
        fc.record({
          kind: fc.constantFrom('obligation' as const, 'reserve' as const),
          accounts: fc.constantFrom({ websocket: 3 }, { grpc: 1, websocket: 2 }),
          open: fc.constantFrom(null, { since: '18446744073709551615', foundAt: 5, accounts: 2 }),
          lastHealedAt: fc.nat(),
        }),
      ),
      passes: fc.array(
        fc.record({
          scope: fc.constantFrom('programs' as const, 'users' as const),
          everySeconds: fc.nat(),
          since: fc.nat(),
          startedAt: fc.nat(),
          endsAt: fc.nat(),
          lastEndedAt: fc.option(fc.nat()),
        }),
      ),
      sums: fc.record({
        open: fc.constant([]),
        counts: fc.record({
          debts: fc.nat(),
          deposits: fc.nat(),
          activeStakes: fc.nat(),
          pendingStakes: fc.nat(),
        }),
        found: fc.nat(),
        lastPass: fc.constant(null),
        waitingFor: fc.option(fc.string()),
      }),
    }),
    events: fc.record({ upTo: slots, checkpoint: slots, version: fc.nat() }),
  },
  { requiredKeys: [] },
);

const replies: fc.Arbitrary<FeedReply> = fc.oneof(
  fc.record({ id: fc.string() }),
  fc.record({ id: fc.string(), failure: fc.record({ reason: fc.string() }) }),
  fc.record({
    id: fc.string(),
    failure: fc.record({
      reason: fc.string(),
      incomplete: fc.record({ what: fc.string(), retryAfterSeconds: fc.nat() }),
    }),
  }),
);

const unreadable = fc.record({
  slot: slots,
  account: fc.record({
    address: addresses,
    kind: fc.constantFrom('reserve' as const, 'obligation' as const),
    owner: addresses,
    size: fc.nat(),
    version: fc.option(fc.bigInt(), { nil: undefined }),
    reason: fc.string(),
    belongsTo: fc.option(addresses, { nil: undefined }),
  }),
});

const offsets = fc.array(fc.nat(), { maxLength: 3 });
const rows = fc.record({
  kind: fc.constantFrom('obligation' as const, 'farmUser' as const),
  layout: fc.record({
    ...{ size: fc.nat(), group: fc.nat(), discriminator: offsets, keys: offsets },
    blocks: fc.array(fc.record({ words: offsets, keys: offsets }), { maxLength: 2 }),
  }),
  bytes: fc.uint8Array({ maxLength: 300 }),
});

const messages: fc.Arbitrary<FeedMessage> = fc.record(
  {
    accounts: fc.array(accounts, { maxLength: 20 }),
    unreadable: fc.array(unreadable, { maxLength: 3 }),
    at: times,
    ageMs: fc.nat(),
    sentMs: fc.nat(),
    facts,
    rows,
    replies: fc.array(replies, { maxLength: 3 }),
  },
  { requiredKeys: ['accounts'] },
);

const CASES = 60;

test('property: every message survives encoding and decoding', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(messages, async (message) => {
      const encoded = encodeMessage(message);
      expect(decodeMessage(encoded)).toEqual(message);
      expect(await encodeMessageAsync(message)).toEqual(encoded);
    }),
    CASES,
  );
});

test('property: a message with a changed byte is refused or has the same content', () => {
  const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  assertProperty(
    fc.property(messages, position, fc.integer({ min: 1, max: 255 }), (message, at, change) => {
      const encoded = encodeMessage(message);
      const damaged = Uint8Array.from(encoded);
      const index = Math.floor(at * damaged.length);
      damaged[index] = (damaged[index] ?? 0) ^ change;
      // unused bits at the end of the compressed stream mean nothing
      expect(outcomeOf(damaged)).toBeOneOf(['refused', outcomeOf(encoded)]);
    }),
    CASES,
  );
});

test('property: a message that is cut off is refused', () => {
  assertProperty(
    fc.property(messages, fc.double({ min: 0, max: 0.99, noNaN: true }), (message, part) => {
      const encoded = encodeMessage(message);
      expect(outcomeOf(encoded.slice(0, Math.floor(encoded.length * part)))).toBe('refused');
    }),
    CASES,
  );
});

test('property: other bytes are refused', () => {
  assertProperty(
    fc.property(fc.uint8Array({ maxLength: 100 }), (other) => {
      expect(outcomeOf(other)).toBe('refused');
    }),
    CASES,
  );
});

test('zeros of accounts cost almost nothing', () => {
  const owner = addressFromBytes(new Uint8Array(32).fill(7));
  const account = { owner, data: new Uint8Array(3_344).fill(1, 0, 200) };
  const slot = toSlot(1n);
  const list = Array.from({ length: 500 }, (_, i) => {
    const address = addressFromBytes(new Uint8Array(32).fill(i % 256).fill(i >> 8, 0, 8));
    return { address, slot, account };
  });
  expect(encodeMessage({ accounts: list }).length).toBeLessThan(500 * 100);
});

/** `refused`, or the decoded message. */
function outcomeOf(encoded: Uint8Array): string {
  try {
    return JSON.stringify(decodeMessage(encoded), text);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'MALFORMED_DATA') return 'refused';
    throw error;
  }
}

const text = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value;
