import { readFileSync } from 'node:fs';
import { toSlot } from '@tidegate/core/base';
import { type TransactionFailure, viewSimulatedFailure } from '@tidegate/core/views/transactions';
import { expect, test } from 'vitest';
import { failureJson } from './failure-json.ts';

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const LOOKUP_TABLE = 'AddressLookupTab1e1111111111111111111111111';

const json = (failure: TransactionFailure | undefined) => {
  if (failure === undefined) throw new Error('no failure');
  return failureJson(failure, { symbols: () => null, slot: toSlot(1n) });
};

/** As a node reports an instruction of this program that fails. */
const failing = (program: string, error: unknown) =>
  json(
    viewSimulatedFailure({ InstructionError: [0, error] }, [
      `Program ${program} invoke [1]`,
      `Program ${program} failed: x`,
    ]),
  );

const SENTENCE = /^[A-Z0-9[].+[.!?]$/;

const errorsFile = new URL('../../../../../../test/fixtures/protocol/errors.json', import.meta.url);
type PublishedErrors = Record<string, Record<string, { readonly code: number }>>;
const published = JSON.parse(readFileSync(errorsFile, 'utf8')) as PublishedErrors;

test.each([
  ['klend', 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'],
  ['kvault', 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd'],
  ['farms', 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr'],
])('every error of %s has a name, a sentence and an advice', (program, address) => {
  const errors = Object.entries(published[program] ?? {});
  expect(errors.length).toBeGreaterThan(50);
  for (const [name, { code }] of errors) {
    const failure = failing(address, { Custom: code });
    expect(failure.name).toBe(name);
    expect(failure.message).toMatch(SENTENCE);
    expect(failure.message).toContain(' ');
    expect(failure.action).toMatch(SENTENCE);
  }
});

test.each([
  [SYSTEM, { Custom: 1 }, 'ResultWithNegativeLamports', /^Add SOL to the wallet/],
  [SYSTEM, { Custom: 0 }, 'AccountAlreadyInUse', /^Build the transaction again/],
  [TOKEN, { Custom: 1 }, 'InsufficientFunds', /^Add tokens to the wallet/],
  [TOKEN, { Custom: 17 }, 'AccountFrozen', /unfreeze/],
  [ASSOCIATED, { Custom: 0 }, 'InvalidOwner', /^Use a wallet/],
  [ASSOCIATED, 'IllegalOwner', 'IllegalOwner', /^Build the transaction again/],
  [COMPUTE_BUDGET, 'InvalidInstructionData', 'InvalidInstructionData', /^Check computeUnitLimit/],
  [LOOKUP_TABLE, 'InvalidArgument', 'InvalidArgument', /^Build the transaction again/],
  [TOKEN, 'ComputationalBudgetExceeded', 'ComputationalBudgetExceeded', /computeUnitLimit/],
  [TOKEN, 'ProgramFailedToComplete', 'ProgramFailedToComplete', /^Use another amount/],
  [TOKEN, { Custom: 4242 }, 'Custom', /^Build the transaction again/],
])('%s failing with %j is %s', (...[program, error, name, action]) => {
  const failure = failing(program, error);
  expect(failure).toMatchObject({ name, figures: null, maxAmount: null });
  expect(failure.action).toMatch(action);
  expect(failure.message).toMatch(SENTENCE);
});

test.each([
  ['BlockhashNotFound', /blockhash/, /^Build the transaction again/],
  ['AccountNotFound', /no SOL/, /^Add SOL/],
  ['InsufficientFundsForFee', /too little SOL/, /^Add SOL/],
  [{ InsufficientFundsForRent: { account_index: 3 } }, /rent-exempt/, /rent/],
  ['AlreadyProcessed', /already processed/, /signature/],
  ['TooManyAccountLocks', /too many accounts/, /^Split/],
  ['WouldExceedMaxBlockCostLimit', /no room/, /computeUnitPrice/],
  ['SanitizeFailure', /malformed/, /^Build the transaction again/],
  ['AnErrorOfTheFuture', /^The cluster rejects the transaction\.$/, /^Build the transaction again/],
])('the cluster rejects with %j', (error, message, action) => {
  const failure = json(viewSimulatedFailure(error, []));
  expect(failure.program).toBe(null);
  expect(failure.message).toMatch(message);
  expect(failure.message).toMatch(SENTENCE);
  expect(failure.action).toMatch(action);
});

test('an unnamed code of an unknown program says both', () => {
  expect(failing('Vote111111111111111111111111111111111111111', { Custom: 7 }).message).toBe(
    'The program Vote111111111111111111111111111111111111111 fails with code 7.',
  );
});

test('a higher compute unit limit is advised only if all units were used', () => {
  const stoppedAfter = (used: number) =>
    json(
      viewSimulatedFailure({ InstructionError: [0, 'ProgramFailedToComplete'] }, [
        `Program ${TOKEN} invoke [1]`,
        `Program ${TOKEN} consumed ${used} of 200000 compute units`,
        `Program ${TOKEN} failed: Program failed to complete`,
      ]),
    );
  expect(stoppedAfter(200_000)).toMatchObject({
    message: 'The program used up its compute units.',
    action: 'Set a higher computeUnitLimit, at most 1400000, and build again.',
  });
  const panic = stoppedAfter(74_788);
  expect(panic.message).toBe('The program panicked.');
  expect(panic.action).not.toContain('computeUnitLimit');
});
