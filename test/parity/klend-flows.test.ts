import { expect, test } from 'vitest';
import { CodedError } from '#core/base/errors.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { RULES_BEFORE_1_11 } from '#core/protocol/klend/lending-rules.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { LendingReplay } from '../support/flows/lending-replay.ts';
import { type GoldenFlow, goldenFlows } from '../support/golden/golden.ts';

/** Flows whose instructions call the lending program themselves; vault flows do so from inside. */
const flows = goldenFlows().filter(({ instructions }) =>
  instructions.some(({ programAddress }) => programAddress === KLEND_PROGRAM),
);

const accepted = flows.filter(({ err }) => err === null);
const refused = flows.filter(({ err }) => err !== null);

function replayOf(flow: GoldenFlow): LendingReplay {
  return new LendingReplay(flow.before, flow.at, RULES_BEFORE_1_11);
}

test.each(accepted)('$name: every lending account ends as the program left it', (flow) => {
  const replay = replayOf(flow);
  for (const instruction of flow.instructions) replay.run(instruction);
  let compared = 0;
  for (const [address, after] of flow.after) {
    if (after === undefined) {
      expect(replay.obligations.has(address)).toBe(false);
    } else if (reserve.matches(after)) {
      expect(replay.reserves.get(address)).toEqual(reserve.decode(after));
      compared++;
    } else if (obligation.matches(after)) {
      expect(replay.obligations.get(address)).toEqual(obligation.decode(after));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(0);
});

type Refusal = { readonly InstructionError: readonly [number, { readonly Custom: number }] };

/** The token program refuses 92 and 94: no lending rule is broken there. */
const refusedByLending = refused.filter(
  ({ err }) => (err as Refusal).InstructionError[1].Custom >= 6000,
);

test('the golden flows have refusals by the lending program', () => {
  expect(refusedByLending.map(({ name }) => name)).toEqual([
    '90-refused-borrow-too-much',
    '91-refused-withdraw-too-much',
    '93-refused-borrow-no-limit',
  ]);
});

test.each(refusedByLending)('$name: our operation refuses with the same code', (flow) => {
  const [index, { Custom: code }] = (flow.err as Refusal).InstructionError;
  const replay = replayOf(flow);
  const refusedWith = flow.instructions.map((instruction) => {
    try {
      replay.run(instruction);
      return undefined;
    } catch (error) {
      return error instanceof CodedError && error.code === 'PROGRAM_REFUSES'
        ? (error as CodedError<'PROGRAM_REFUSES'>).context.code
        : error;
    }
  });
  expect(refusedWith.findIndex((refusal) => refusal !== undefined)).toBe(index);
  expect(refusedWith[index]).toBe(code);
});
