import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { farmsError, farmsRejection } from '#core/protocol/farms/errors.ts';
import { klendError, klendRejection } from '#core/protocol/klend/errors.ts';
import { kvaultError, kvaultRejection } from '#core/protocol/kvault/errors.ts';
import { scopeError } from '#core/protocol/scope/errors.ts';
import { anchorError } from '#core/protocol/spl/anchor-errors.ts';
import { tokenError } from '#core/protocol/spl/errors.ts';
import { goldenFlow } from '../support/golden/golden.ts';

type Published = Readonly<Record<string, { readonly code: number; readonly message: string }>>;
type Names = Readonly<Record<string, number>>;

const published = JSON.parse(
  readFileSync(new URL('../fixtures/protocol/errors.json', import.meta.url), 'utf8'),
) as {
  readonly klend: Published;
  readonly kvault: Published;
  readonly farms: Published;
  readonly anchor: Names;
  readonly splToken: Names;
};

test.each([
  ['klend', klendError, 186],
  ['kvault', kvaultError, 66],
  ['farms', farmsError, 79],
] as const)('every error of %s has its published name and message', (...[program, of, count]) => {
  const errors = Object.entries(published[program]);
  expect(errors).toHaveLength(count);
  for (const [name, { code, message }] of errors) {
    expect(of(code)).toEqual({ code, name, message });
  }
  const codes = errors.map(([, { code }]) => code);
  expect(of(Math.max(...codes) + 1)).toBeUndefined();
  expect(of(Math.min(...codes) - 1)).toBeUndefined();
});

test.each([
  ['anchor', anchorError, 35],
  ['splToken', tokenError, 20],
] as const)('every error of %s has its published name and a message', (...[table, of, count]) => {
  const errors = Object.entries(published[table]);
  expect(errors).toHaveLength(count);
  for (const [name, code] of errors) {
    expect(of(code)).toEqual({ code, name, message: expect.stringMatching(/^[A-Z].{5,}[^.]$/) });
  }
  expect(of(99)).toBeUndefined();
});

// Numbers and names of scope 0.40.0.
test.each([
  [6009, 'SwitchboardV2Error'],
  [6010, 'InvalidAccountDiscriminator'],
  [6011, 'UnableToDeserializeAccount'],
  [6013, 'RefreshInCPI'],
  [6014, 'RefreshWithUnexpectedIxs'],
  [6024, 'EmptyTokenList'],
  [6038, 'CompositeOracleMaxAgeViolated'],
  [6076, 'KlendReserveDeprecated'],
  [6077, undefined],
])('error %i of scope is %s', (code, name) => {
  expect(scopeError(code)?.name).toBe(name);
});

test('every Anchor program finds the errors of Anchor', () => {
  for (const of of [klendError, kvaultError, farmsError, scopeError]) {
    expect(of(3012)?.name).toBe('AccountNotInitialized');
    expect(of(1)).toBeUndefined();
  }
});

test.each([
  ['90-refused-borrow-too-much', klendError, 'BorrowTooLarge'],
  ['91-refused-withdraw-too-much', klendError, 'WithdrawTooLarge'],
  ['92-refused-deposit-no-funds', tokenError, 'InsufficientFunds'],
  ['93-refused-borrow-no-limit', klendError, 'BorrowLimitExceeded'],
  ['94-refused-vault-deposit-too-much', tokenError, 'InsufficientFunds'],
] as const)('%s fails with a known error', (...[flow, of, name]) => {
  const { InstructionError } = goldenFlow(`${flow}.json`).err as {
    readonly InstructionError: readonly [number, { readonly Custom: number }];
  };
  expect(of(InstructionError[1].Custom)?.name).toBe(name);
});

test('a program error has the program, code, name and reason', () => {
  expect(klendRejection('BorrowTooLarge', 'the loan is worth too much')).toMatchObject({
    code: 'PROGRAM_REFUSES',
    context: { program: 'klend', code: 6013, name: 'BorrowTooLarge' },
    message: expect.stringContaining('6013 (BorrowTooLarge): the loan is worth too much'),
  });
  expect(kvaultRejection('DepositAmountsZero', 'x').context).toMatchObject({
    program: 'kvault',
    code: 7000,
  });
  expect(farmsRejection('StakeZero', 'x').context).toMatchObject({ program: 'farms', code: 6000 });
});
