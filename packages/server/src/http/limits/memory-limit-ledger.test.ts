import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModelLedger } from '../../../../../test/support/limits/model-ledger.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { MemoryLimitLedger } from './memory-limit-ledger.ts';

test('property: the ledger in memory counts as the model does', () => {
  const charge = fc.record({
    caller: fc.constantFrom('a', 'b'),
    quota: fc.integer({ min: 1, max: 50 }),
    spent: fc.nat(3),
    cost: fc.nat(9),
    pause: fc.nat(9_000),
  });
  assertProperty(
    fc.property(fc.array(charge, { maxLength: 150 }), (charges) => {
      let now = 1_000_000_000_000;
      const ledger = new MemoryLimitLedger(() => now);
      const model = new ModelLedger();
      for (const { pause, ...rest } of charges) {
        now += pause;
        const next = { ...rest, windowSeconds: 60 };
        expect(ledger.charge(next)).toEqual(model.charge(next, now));
      }
    }),
    100,
  );
});
