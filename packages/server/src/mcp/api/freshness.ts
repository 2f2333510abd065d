import type { Freshness } from '@tidegate/client';
import { cleanText } from '@tidegate/core/base';

/** Which state of the cluster an answer of the API is of. */
export type AnswerFreshness = {
  readonly env: string;
  readonly slot: bigint;
  readonly blockTime: string;
  readonly commitment: string;
  /** Milliseconds since the server received the slot. */
  readonly ageMs: number;
};

/** Data of a healthy server is younger. */
const OLD_MS = 30_000;

/** Undefined if the answer does not depend on a slot, or the server has not loaded one. */
export function toAnswerFreshness(freshness: Freshness): AnswerFreshness | undefined {
  const { slot, env, blockTimeMs, commitment, ageMs } = freshness;
  if (slot === undefined) return undefined;
  return {
    env: cleanText(env ?? 'unknown cluster', 32),
    slot,
    blockTime: blockTimeMs === undefined ? 'unknown' : new Date(blockTimeMs).toISOString(),
    commitment: cleanText(commitment ?? 'unknown commitment', 20),
    ageMs: Math.max(0, ageMs ?? 0),
  };
}

/** Of figures from several answers: the oldest slot, and the greatest age. */
export function oldestOf(all: readonly AnswerFreshness[]): AnswerFreshness | undefined {
  return all.reduce<AnswerFreshness | undefined>((oldest, each) => {
    if (oldest === undefined) return each;
    const base = each.slot < oldest.slot ? each : oldest;
    return { ...base, ageMs: Math.max(each.ageMs, oldest.ageMs) };
  }, undefined);
}

/** One sentence. */
export function describeFreshness(freshness: AnswerFreshness | undefined): string {
  if (freshness === undefined) return 'The answer does not depend on a slot of a cluster.';
  const { env, slot, blockTime, commitment, ageMs } = freshness;
  const age = `${(ageMs / 1000).toFixed(1)} seconds ago`;
  const warning = ageMs > OLD_MS ? ' This is old: the server lags behind the cluster.' : '';
  return `State of ${env} at slot ${slot} (${commitment}), block time ${blockTime}, received ${age}.${warning}`;
}
