import { expect, test } from 'vitest';
import type { DriftReport } from '../../clusters/drift-report.ts';
import { UnprovenKinds } from '../../clusters/unproven-kinds.ts';
import type { FeedFacts } from '../../feed/feed-message.ts';
import { followProof } from './follow-proof.ts';

const report = (open: DriftReport['kinds'][number]['open']): DriftReport => ({
  kinds: [{ kind: 'obligation', accounts: { websocket: 3 }, open, lastHealedAt: 7 }],
  passes: [],
});

test('a process that reads the feed marks kinds that drifted at the writer, until they are compared', () => {
  let facts: Partial<FeedFacts> = {};
  const { drift, unproven } = followProof(() => facts, new UnprovenKinds());
  expect([drift.report(), unproven.reasons()]).toEqual([undefined, []]);
  facts = { drift: report({ since: '41', foundAt: 6, accounts: 3 }) };
  expect(unproven.reasons()).toMatchObject([
    { kind: 'obligation', code: 'stateDrift', since: 41n, detail: expect.stringContaining('3 ') },
  ]);
  expect(drift.report()).toBe(facts.drift);
  const marked = unproven.version();
  facts = { drift: report(null) };
  expect(unproven.version()).toBeGreaterThan(marked);
  expect(unproven.reasons()).toEqual([]);
});
