import type { Call } from '../instructions/decode-calls.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Findings } from './findings.ts';

/** A part of a transaction: a number of instructions of these kinds. */
export type Step = {
  /** Keys of calls, such as `klend refreshReserve`. */
  readonly keys: readonly string[];
  readonly min: number;
  readonly max: number;
};

export const one = (...keys: readonly string[]): Step => ({ keys, min: 1, max: 1 });
export const optional = (...keys: readonly string[]): Step => ({ keys, min: 0, max: 1 });
export const several = (max: number, ...keys: readonly string[]): Step => ({ keys, min: 1, max });

/** Every transaction may begin with these. */
export const BUDGET_STEPS: readonly Step[] = [
  optional('computeBudget setComputeUnitLimit'),
  optional('computeBudget setComputeUnitPrice'),
];

/** Checks that the calls are exactly the steps, in their order. */
export function checkSequence(
  calls: readonly Call[],
  steps: readonly Step[],
  findings: Findings,
): void {
  const skipped: Step[] = [];
  let isMisplaced = false;
  let at = 0;
  let count = 0;
  for (const call of calls) {
    const next = findStep(steps, { at, count, key: call.key });
    if (next === undefined) {
      isMisplaced = true;
      findings.add(...describeMisplaced(call, calls, steps), call);
      continue;
    }
    skipped.push(...steps.slice(count === 0 ? at : at + 1, next));
    count = next === at ? count + 1 : 1;
    at = next;
  }
  skipped.push(...steps.slice(count === 0 ? at : at + 1));
  for (const { keys, min } of skipped) {
    if (min === 0 || (isMisplaced && isElsewhere(keys, calls, steps))) continue;
    findings.add('MISSING_INSTRUCTION', `${keys.join(' or ')} is missing.`);
  }
}

/** Whether enough instructions of these kinds exist, so that one of them is reported as misplaced. */
function isElsewhere(
  keys: readonly string[],
  calls: readonly Call[],
  steps: readonly Step[],
): boolean {
  const isSame = (step: Step): boolean => step.keys.some((key) => keys.includes(key));
  const needed = steps.filter(isSame).reduce((sum, { min }) => sum + min, 0);
  return calls.filter(({ key }) => keys.includes(key)).length >= needed;
}

type Position = { readonly at: number; readonly count: number; readonly key: string };

/** The first step from the current one on that takes the call. */
function findStep(steps: readonly Step[], { at, count, key }: Position): number | undefined {
  const index = steps.findIndex(({ keys, max }, i) => {
    if (i < at || !keys.includes(key)) return false;
    return i > at || count < max;
  });
  return index < 0 ? undefined : index;
}

function describeMisplaced(
  call: Call,
  calls: readonly Call[],
  steps: readonly Step[],
): [ReasonCode, string] {
  const { spec, key } = call;
  const most = steps.reduce((sum, { keys, max }) => (keys.includes(key) ? sum + max : sum), 0);
  if (most === 0) {
    const isTransfer = key === 'system transfer';
    const code = isTransfer ? 'HIDDEN_TRANSFER' : 'UNEXPECTED_INSTRUCTION';
    return [code, `${spec.name} is not part of what was requested.`];
  }
  const found = calls.filter((each) => each.key === key).length;
  return found > most
    ? ['REPEATED_INSTRUCTION', `${spec.name} occurs ${found} times; at most ${most} are needed.`]
    : ['WRONG_ORDER', `${spec.name} is not in its place.`];
}
