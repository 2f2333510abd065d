import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { claimsOf, judgeClaims } from './account-claims.ts';

/** `readings`: value and slot. */
const witness = (name: string, ...readings: readonly (readonly [number, bigint])[]) =>
  claimsOf(
    name,
    readings.map(([value, slot]) => ({ value, slot: toSlot(slot) })),
  );

const judge = (...claims: readonly ReturnType<typeof witness>[]) => {
  const { outvoted, disputed } = judgeClaims(claims.flat());
  return { outvoted: [...outvoted].sort(), disputed: [...disputed].sort() };
};

const NOBODY = { outvoted: [], disputed: [] };

test('readings of the same value claim it for the slots between them', () => {
  expect(witness('a', [1, 5n], [1, 8n], [2, 9n], [1, 10n])).toEqual([
    { witness: 'a', value: 1, from: 5n, to: 8n },
    { witness: 'a', value: 2, from: 9n, to: 9n },
    { witness: 'a', value: 1, from: 10n, to: 10n },
  ]);
});

test('of three endpoints the one that differs is outvoted', () => {
  const verdict = judge(
    witness('a', [1, 5n], [1, 9n]),
    witness('b', [2, 6n], [2, 9n]),
    witness('c', [1, 7n], [1, 9n]),
  );
  expect(verdict).toEqual({ outvoted: ['b'], disputed: [] });
});

test('of two endpoints the one that the stream contradicts is outvoted', () => {
  const verdict = judge(
    witness('a', [1, 5n], [1, 9n]),
    witness('b', [2, 6n], [2, 9n]),
    witness('stream', [2, 3n], [2, 8n]),
  );
  expect(verdict).toEqual({ outvoted: ['a'], disputed: [] });
});

test('a stream that two endpoints contradict is outvoted', () => {
  const verdict = judge(
    witness('a', [1, 5n]),
    witness('b', [1, 5n]),
    witness('stream', [2, 2n], [2, 8n]),
  );
  expect(verdict).toEqual({ outvoted: ['stream'], disputed: [] });
});

test('two endpoints without a third witness are in dispute', () => {
  const verdict = judge(witness('a', [1, 5n], [1, 9n]), witness('b', [2, 6n], [2, 9n]));
  expect(verdict).toEqual({ outvoted: [], disputed: ['a', 'b'] });
});

test('a change between two reads contradicts nothing', () => {
  expect(judge(witness('a', [1, 5n]), witness('b', [2, 6n]))).toEqual(NOBODY);
  expect(judge(witness('a', [1, 5n], [2, 7n]), witness('b', [2, 6n], [2, 7n]))).toEqual(NOBODY);
  // an account that changes in every slot
  expect(judge(witness('a', [5, 5n], [8, 8n]), witness('b', [6, 6n], [9, 9n]))).toEqual(NOBODY);
});

test('a node that names a slot next to that of its accounts contradicts nothing', () => {
  expect(judge(witness('a', [1, 4n], [1, 6n]), witness('b', [2, 5n], [2, 9n]))).toEqual(NOBODY);
  expect(judge(witness('a', [1, 5n]), witness('b', [2, 5n]))).toEqual(NOBODY);
});

test('old bytes at new slots are caught by a change that another endpoint has', () => {
  const verdict = judge(
    witness('a', [1, 1n], [1, 9n]),
    witness('b', [2, 6n], [3, 9n]),
    witness('stream', [2, 6n], [2, 7n]),
  );
  expect(verdict).toEqual({ outvoted: ['a'], disputed: [] });
});

test('an endpoint that takes back what it said supports the other one', () => {
  const verdict = judge(witness('a', [2, 6n], [1, 8n]), witness('b', [1, 4n], [1, 9n]));
  expect(verdict).toEqual({ outvoted: ['a'], disputed: [] });
});
