import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModelCounters } from '../../../../../test/support/limits/model-counters.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { MemoryLimitCounters } from './memory-limit-counters.ts';

test('property: the counters in memory count as the model does', () => {
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
      const counters = new MemoryLimitCounters(() => now);
      const model = new ModelCounters();
      for (const { pause, ...rest } of charges) {
        now += pause;
        const next = { ...rest, windowSeconds: 60 };
        expect(counters.charge(next)).toEqual(model.charge(next, now));
      }
    }),
    100,
  );
});
