import { type Slot, toAddress, toSlot, toUnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { SlotQueue } from '../follow/slot-queue.ts';
import { type ComparedRead, compareAccount, type DriftVerdict } from './compare-account.ts';

const OWNER = toAddress('11111111111111111111111111111111');
const slot = (number: number): Slot => toSlot(BigInt(number));
const version = (number: number, byte: number) => ({
  slot: slot(number),
  owner: OWNER,
  data: Uint8Array.of(byte),
});

const differing: ComparedRead = {
  before: version(5, 1),
  now: version(5, 1),
  readSlot: slot(8),
  completeSlot: slot(8),
  isInterrupted: false,
  isSame: false,
};
const verdictOf = (change: Partial<ComparedRead>): DriftVerdict =>
  compareAccount({ ...differing, ...change });

test('a difference counts if state is complete for the read and has not changed', () => {
  expect(verdictOf({})).toBe('drift');
  expect(verdictOf({ completeSlot: slot(9) })).toBe('drift');
  expect(verdictOf({ before: undefined, now: undefined }), 'state lacks the account').toBe('drift');
  expect(verdictOf({ isSame: true })).toBe('same');
});

test('a difference does not count before state is complete for the read, or after a gap', () => {
  expect(verdictOf({ completeSlot: slot(7) })).toBe('undecided');
  expect(verdictOf({ isInterrupted: true })).toBe('undecided');
});

test('a difference does not count if the account has changed in state since the request', () => {
  expect(verdictOf({ now: version(9, 2), completeSlot: slot(9) })).toBe('newer');
  expect(verdictOf({ now: version(6, 2) }), 'an update with an older slot').toBe('newer');
  expect(verdictOf({ now: version(5, 2) }), 'the slot may be a lower bound').toBe('newer');
  expect(verdictOf({ before: undefined })).toBe('newer');
  expect(verdictOf({ now: undefined })).toBe('newer');
  const future = version(9, 1);
  expect(verdictOf({ before: future, now: future }), 'state is ahead of the read').toBe('newer');
});

type Version = ReturnType<typeof version>;
type Pending = { readonly written: Version; readonly isLost: boolean };

/** One account of a cluster, the state of a server that follows it, and reads of both in any order. */
class FollowedAccount {
  readonly verdicts: { readonly verdict: DriftVerdict; readonly isWrong: boolean }[] = [];
  readonly #versions: Version[] = [version(1, 0)];
  readonly #queue = new SlotQueue(() => undefined);
  #stored: Version = version(1, 0);
  #undelivered: Pending[] = [];
  #head = 1;
  #byte = 0;
  #read: Pick<ComparedRead, 'before' | 'readSlot'> | undefined;
  #requested: { readonly before: Version; readonly minSlot: number } | undefined;

  constructor() {
    this.#queue.startQueueing();
    this.complete();
  }

  write(isLost: boolean): void {
    this.#head += 1;
    this.#byte += 1;
    const written = version(this.#head, this.#byte);
    this.#versions.push(written);
    this.#undelivered.push({ written, isLost });
  }

  skip(): void {
    this.#head += 1;
  }

  deliver(which: number): void {
    const [pending] = this.#undelivered.splice(which % (this.#undelivered.length || 1), 1);
    if (pending === undefined || pending.isLost) return;
    this.#queue.push({ slot: pending.written.slot, run: () => this.#apply(pending.written) });
  }

  /** Every slot whose updates were delivered is complete. */
  complete(): void {
    const open = this.#undelivered
      .filter(({ isLost }) => !isLost)
      .map(({ written }) => written.slot);
    const oldest = open.reduce((min, each) => (each < min ? each : min), slot(this.#head + 1));
    this.#queue.advance({ slot: toSlot(oldest - 1n), unix: toUnixSeconds(0n) });
    this.#compare();
  }

  /** A read of a whole program: its accounts have a slot that may be older than their content. */
  reload(): void {
    const [minSlot, at] = [this.#queue.completeSlot, slot(this.#head)];
    const { data } = this.#chainAt(at);
    this.#queue.push({
      slot: at,
      run: () => this.#apply({ ...version(0, 0), slot: minSlot, data }),
    });
  }

  request(): void {
    if (this.#requested !== undefined || this.#read !== undefined) return;
    this.#requested = { before: this.#stored, minSlot: Number(this.#queue.completeSlot) };
  }

  respond(after: number): void {
    if (this.#requested === undefined) return;
    const { before, minSlot } = this.#requested;
    this.#requested = undefined;
    this.#read = { before, readSlot: slot(minSlot + (after % (this.#head - minSlot + 1))) };
    this.#compare();
  }

  #compare(): void {
    if (this.#read === undefined) return;
    const { readSlot, before } = this.#read;
    const { completeSlot } = this.#queue;
    const isSame = this.#chainAt(readSlot).data[0] === this.#stored.data[0];
    const compared = { before, now: this.#stored, readSlot, completeSlot, isInterrupted: false };
    const verdict = compareAccount({ ...compared, isSame });
    if (verdict === 'undecided') return;
    this.#read = undefined;
    const isWrong = this.#chainAt(completeSlot).data[0] !== this.#stored.data[0];
    this.verdicts.push({ verdict, isWrong });
  }

  #apply(update: Version): void {
    if (update.slot >= this.#stored.slot) this.#stored = update;
  }

  #chainAt(at: Slot): Version {
    return this.#versions.findLast((each) => each.slot <= at) ?? version(0, 0);
  }
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'skip', 'deliver', 'complete', 'reload', 'request', 'respond'),
    which: fc.nat(20),
  }),
  { maxLength: 60 },
);

function run(operations: typeof steps extends fc.Arbitrary<infer V> ? V : never, loses: boolean) {
  const account = new FollowedAccount();
  for (const { kind, which } of operations) {
    if (kind === 'write') account.write(loses && which % 3 === 0);
    else if (kind === 'deliver') account.deliver(which);
    else if (kind === 'respond') account.respond(which);
    else account[kind]();
  }
  return account.verdicts;
}

test('property: however reads and updates are ordered, nothing differs while no update is lost', () => {
  assertProperty(
    fc.property(steps, (operations) => {
      for (const { verdict } of run(operations, false)) expect(verdict).not.toBe('drift');
    }),
    500,
  );
});

test('property: only an account that is wrong differs, and a wrong one that nobody writes is found', () => {
  assertProperty(
    fc.property(steps, (operations) => {
      for (const { verdict, isWrong } of run(operations, true)) {
        if (verdict === 'drift') expect(isWrong).toBe(true);
      }
      const end = [
        ...Array.from({ length: 60 }, () => ({ kind: 'deliver' as const, which: 0 })),
        ...(['respond', 'complete', 'request', 'respond', 'complete'] as const).map((kind) => ({
          kind,
          which: 0,
        })),
      ];
      const last = run([...operations, ...end], true).at(-1);
      expect(last?.verdict).toBe(last?.isWrong === true ? 'drift' : 'same');
    }),
    500,
  );
});
