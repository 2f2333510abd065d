import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';
import { WriteSchedule } from '../../support/simulated-mainnet/write-schedule.ts';

const START = 1_000n;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('slot' as const) }) },
  fc.record({ kind: fc.constant('rate' as const), perSlot: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ kind: fc.constant('rollBack' as const), slots: fc.bigInt({ min: 1n, max: 6n }) }),
  fc.record({ kind: fc.constant('skip' as const) }),
);

test('property: the last write of an account is that of the newest slot that wrote it', () => {
  const accounts = fc.integer({ min: 1, max: 40 });
  assertProperty(
    fc.property(accounts, fc.array(step, { maxLength: 80 }), (count, steps) => {
      const schedule = new WriteSchedule(count, toSlot(START));
      /** What each slot wrote, when it closed. */
      let closed: { readonly slot: bigint; readonly written: readonly number[] }[] = [];
      let newest = START;
      const close = () => {
        newest += 1n;
        closed.push({ slot: newest, written: [...schedule.writtenIn(toSlot(newest))] });
      };
      for (const each of steps) {
        if (each.kind === 'slot') close();
        if (each.kind === 'rate') schedule.setRate(toSlot(newest + 1n), each.perSlot);
        if (each.kind === 'skip') {
          schedule.skip(toSlot(newest + 1n));
          newest += 1n;
        }
        if (each.kind === 'rollBack' && newest - each.slots > START) {
          schedule.rollBack(toSlot(newest - each.slots), toSlot(newest));
          newest -= each.slots;
          closed = closed.filter(({ slot }) => slot <= newest);
        }
      }
      for (let account = 0; account < count; account++) {
        const expected = closed.findLast(({ written }) => written.includes(account))?.slot;
        expect(schedule.lastWrite(account, toSlot(newest))?.slot).toBe(expected);
      }
    }),
    100,
  );
});

test('every account is written before any is written again', () => {
  const schedule = new WriteSchedule(1_000, toSlot(START));
  schedule.setRate(toSlot(START + 1n), 100);
  const written = Array.from({ length: 10 }, (_, i) => [
    ...schedule.writtenIn(toSlot(START + 1n + BigInt(i))),
  ]);
  expect(new Set(written.flat()).size).toBe(1_000);
});
