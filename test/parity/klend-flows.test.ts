import { expect, test } from 'vitest';
import { CodedError } from '#core/base/errors.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { LendingReplay } from '../support/flows/lending-replay.ts';
import { type GoldenFlow, goldenFlows } from '../support/golden/golden.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';

/** Flows with direct calls of the lending program. Vault flows call it by CPI. */
const flows = goldenFlows().filter(({ instructions }) =>
  instructions.some(({ programAddress }) => programAddress === KLEND_PROGRAM),
);

const accepted = flows.filter(({ err }) => err === null);
const failed = flows.filter(({ err }) => err !== null);

function replayOf(flow: GoldenFlow): LendingReplay {
  return new LendingReplay(flow.before, flow.at, RECORDED_BUILD_RULES.lending);
}

test.each(accepted)('$name: every lending account equals the recorded one', (flow) => {
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

type ProgramFailure = { readonly InstructionError: readonly [number, { readonly Custom: number }] };

/** 92 and 94 fail in the token program, not in the lending program. */
const failedInLending = failed.filter(
  ({ err }) => (err as ProgramFailure).InstructionError[1].Custom >= 6000,
);

test('some golden flows fail in the lending program', () => {
  expect(failedInLending.map(({ name }) => name)).toEqual([
    '90-refused-borrow-too-much',
    '91-refused-withdraw-too-much',
    '93-refused-borrow-no-limit',
  ]);
});

test.each(failedInLending)('$name: the operation throws the same code', (flow) => {
  const [index, { Custom: code }] = (flow.err as ProgramFailure).InstructionError;
  const replay = replayOf(flow);
  const failedWith = flow.instructions.map((instruction) => {
    try {
      replay.run(instruction);
      return undefined;
    } catch (error) {
      return error instanceof CodedError && error.code === 'PROGRAM_REFUSES'
        ? (error as CodedError<'PROGRAM_REFUSES'>).context.code
        : error;
    }
  });
  expect(failedWith.findIndex((failure) => failure !== undefined)).toBe(index);
  expect(failedWith[index]).toBe(code);
});
