import { expect, test } from 'vitest';
import { toSlot } from '../../base/time.ts';
import { NEWEST_RULES } from './program-rules.ts';
import { ReleaseOverlay, type RunningRelease, withReleases } from './release-overlay.ts';

const release = (program: RunningRelease['program'], version: string, from: bigint) => ({
  program,
  version,
  from: toSlot(from),
});

const create = () => new ReleaseOverlay(() => NEWEST_RULES);

test('without a seen release the rules are those that are known beforehand', () => {
  expect(create().rulesAt(toSlot(5n))).toBe(NEWEST_RULES);
});

test('a release that was seen counts from its first slot on, in any order', () => {
  const overlay = create();
  overlay.set([release('klend', '1.25', 900n), release('klend', '1.24', 500n)]);
  const basisAt = (slot: bigint) => overlay.rulesAt(toSlot(slot)).lending.accrualBasis;
  expect([499n, 500n, 899n, 900n].map(basisAt)).toEqual([
    'of the reserve',
    'slots',
    'slots',
    'of the reserve',
  ]);
  expect(overlay.rulesAt(toSlot(600n)).vaults).toBe(NEWEST_RULES.vaults);
  expect(overlay.rulesAt(toSlot(600n))).toBe(overlay.rulesAt(toSlot(700n)));
});

test('it says whether the releases have changed', () => {
  const overlay = create();
  expect(overlay.set([release('kvault', '2.1.1', 0n)])).toBe(true);
  expect(overlay.set([release('kvault', '2.1.1', 0n)])).toBe(false);
  expect(overlay.rulesAt(toSlot(1n)).vaults.depositCap).toBe('none');
  expect(overlay.set([])).toBe(true);
  expect(overlay.rulesAt(toSlot(1n))).toBe(NEWEST_RULES);
});

test('the oracle program and versions that are not in the table change nothing', () => {
  expect(withReleases(NEWEST_RULES, new Map([['scope', '0.40.0']]))).toBe(NEWEST_RULES);
  expect(withReleases(NEWEST_RULES, new Map([['klend', '9.9']]))).toBe(NEWEST_RULES);
});
