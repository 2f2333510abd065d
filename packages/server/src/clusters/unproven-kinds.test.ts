import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { UnprovenKinds, type UnprovenReason } from './unproven-kinds.ts';

const reason = (changes: Partial<UnprovenReason> = {}): UnprovenReason => ({
  kind: 'reserve',
  code: 'proofDiffers',
  detail: 'refresh_reserve',
  since: toSlot(5n),
  ...changes,
});

test('reasons of all sources are listed by kind', () => {
  const kinds = new UnprovenKinds(() => findings);
  const findings = [reason({ kind: 'vault', code: 'unknownBytes' })];
  kinds.set('proof', [reason()]);
  kinds.set('programs', [reason({ kind: 'farm', code: 'upgradedProgram' })]);
  expect(kinds.reasons().map(({ kind, code }) => [kind, code])).toEqual([
    ['farm', 'upgradedProgram'],
    ['reserve', 'proofDiffers'],
    ['vault', 'unknownBytes'],
  ]);
  kinds.set('proof', []);
  expect(kinds.reasons().map(({ kind }) => kind)).toEqual(['farm', 'vault']);
});

test('the version increases only if a reason changes', () => {
  let findings: readonly UnprovenReason[] = [];
  const kinds = new UnprovenKinds(() => findings);
  const versions = [kinds.version()];
  const act = (change: () => void): void => {
    change();
    versions.push(kinds.version());
  };
  act(() => kinds.set('proof', [reason()]));
  act(() => kinds.set('proof', [reason()]));
  act(() => kinds.set('proof', [reason({ since: toSlot(6n) })]));
  act(() => {
    findings = [reason({ kind: 'farm' })];
  });
  act(() => {
    findings = [reason({ kind: 'farm' })];
  });
  act(() => {
    findings = [];
  });
  act(() => kinds.set('proof', []));
  expect(versions).toEqual([0, 1, 1, 2, 3, 3, 4, 5]);
});
