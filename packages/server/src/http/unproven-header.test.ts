import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { UnprovenKinds, type UnprovenReason } from '../clusters/unproven-kinds.ts';
import { createUnprovenHeader } from './unproven-header.ts';

const reason = (changes: Partial<UnprovenReason> = {}): UnprovenReason => ({
  kind: 'reserve',
  code: 'proofDiffers',
  detail: 'refresh_reserve',
  since: toSlot(5n),
  ...changes,
});

test('only operations that read the kind have the header', () => {
  const kinds = new UnprovenKinds();
  const header = createUnprovenHeader(kinds);
  const cached = { dependsOn: ['slot', 'reserve'] } as const;
  const recorded = { computedFrom: ['reserve'] } as const;
  const other = { dependsOn: ['slot', 'vault'] } as const;
  expect(header(cached)).toEqual([]);

  kinds.set('proof', [reason()]);
  const value = 'reserve;code=proofDiffers;since=5;detail="refresh_reserve"';
  expect(header(cached)).toEqual(['x-unproven', value]);
  expect(header(recorded)).toEqual(['x-unproven', value]);
  expect(header(other)).toEqual([]);
  expect(header(undefined)).toEqual([]);

  kinds.set('proof', []);
  expect(header(cached)).toEqual([]);
});

test('a header lists 8 reasons, counts the rest, and has no character that ends a quoted string', () => {
  const kinds = new UnprovenKinds();
  const reasons = Array.from({ length: 10 }, (_, i) => reason({ since: toSlot(BigInt(i)) }));
  kinds.set('proof', reasons);
  const [, value = ''] = createUnprovenHeader(kinds)({ dependsOn: ['reserve'] });
  expect(value.split(', ')).toHaveLength(9);
  expect(value).toMatch(/, more;count=2$/);

  kinds.set('proof', [reason({ detail: 'a "b"\r\nc\\d é' })]);
  const [, quoted] = createUnprovenHeader(kinds)({ dependsOn: ['reserve'] });
  expect(quoted).toBe('reserve;code=proofDiffers;since=5;detail="a ?b???c?d ?"');
});
