import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { AccountMeta, Instruction } from '#core/base/solana/instruction.ts';
import { refreshPriceList } from '#core/protocol/scope/instructions/refresh-price-list.ts';
import { oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices, oracleTwaps } from '#core/protocol/scope/layout/oracle-prices.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { scopeProgram } from '#localnet/programs/scope/scope-program.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import {
  instructionFor,
  runTestPrograms,
  testProgram,
} from '../../../support/localnet/test-programs.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const [PRICES, MAPPINGS, TWAPS, SOURCE, OTHER] = [11, 12, 13, 14, 15].map(numberedAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const zeroed = <Value>(layout: {
  body: { size: number; decode(source: DataView, offset: number): Value };
}): Value => layout.body.decode(new DataView(new ArrayBuffer(layout.body.size)), 0);

const owned = (data: Uint8Array) => ({ owner: SCOPE_PROGRAM, lamports: 10n ** 9n, data });

/** Only entries 3 and 4 have a source. */
function feed({ twapsOf = PRICES } = {}) {
  const { priceInfoAccounts, ...rest } = zeroed(oracleMappings);
  const sources = priceInfoAccounts.map((none, i) => (i === 3 || i === 4 ? SOURCE : none));
  const prices = { ...zeroed(oraclePrices), oracleMappings: MAPPINGS };
  const twaps = { ...zeroed(oracleTwaps), oraclePrices: twapsOf, oracleMappings: MAPPINGS };
  return [
    [PRICES, owned(oraclePrices.encode(prices))],
    [MAPPINGS, owned(oracleMappings.encode({ ...rest, priceInfoAccounts: sources }))],
    [TWAPS, owned(oracleTwaps.encode(twaps))],
  ] as const;
}

function refresh(
  list: readonly number[],
  accounts: readonly Address[] = [],
  sysvar = INSTRUCTIONS_SYSVAR,
) {
  return refreshPriceList.build(SCOPE_PROGRAM, {
    accounts: {
      oraclePrices: PRICES,
      oracleMappings: MAPPINGS,
      oracleTwaps: TWAPS,
      instructionSysvarAccountInfo: sysvar,
    },
    args: {},
    list,
    remaining: accounts.map((address): AccountMeta => ({ address, role: 0 })),
  });
}

const nothing = testProgram(() => undefined);
const programs = [
  [SCOPE_PROGRAM, scopeProgram],
  [COMPUTE_BUDGET_PROGRAM, nothing],
  [SYSTEM_PROGRAM, nothing],
] as const;

const running = (...instructions: readonly Instruction[]) =>
  runTestPrograms({ programs, accounts: feed(), instructions, unitLimit: 200_000 });

type RejectedRefresh = { readonly of: readonly number[]; readonly with: readonly Address[] };

test.each<[string, RejectedRefresh, number]>([
  ['a single entry without source account', { of: [3], with: [SOURCE] }, 6011],
  ['no entry', { of: [], with: [] }, 6024],
  ['more entries than accounts', { of: [3, 4], with: [SOURCE] }, 6006],
  ['an unknown entry', { of: [512], with: [SOURCE] }, 6007],
  ['an account other than the source', { of: [3, 4], with: [SOURCE, OTHER] }, 6004],
])('a refresh of %s is rejected', (_, request, code) => {
  expect(running(refresh(request.of, request.with)).error).toEqual(instructionError(code));
});

test('several entries without source accounts are skipped without changes', () => {
  const { error, changes, logs } = running(refresh([3, 4], [SOURCE, SOURCE]));
  expect([error, changes.size]).toEqual([undefined, 0]);
  expect(logs).toContain('Program log: Price skipped as validation failed (token 4)');
});

test('an unused entry is skipped even if it is the only one', () => {
  const { error, logs } = running(refresh([7], [OTHER]));
  expect(error).toBeUndefined();
  expect(logs).toContain('Program log: Skipping token 7 as no mapping is set');
});

test('only compute budget instructions may precede a refresh', () => {
  const several = refresh([3, 4], [SOURCE, SOURCE]);
  expect(running(instructionFor(COMPUTE_BUDGET_PROGRAM), several).error).toBeUndefined();
  expect(running(instructionFor(SYSTEM_PROGRAM), several).error).toEqual(instructionError(6014, 1));
  expect(running(several, instructionFor(SYSTEM_PROGRAM)).error).toBeUndefined();
});

test('programs cannot call a refresh', () => {
  const several = refresh([3, 4], [SOURCE, SOURCE]);
  const caller = testProgram((call) => call.invoke(several));
  const accounts = [...several.accounts, { address: SCOPE_PROGRAM, role: 0 } as const];
  const { error } = runTestPrograms({
    programs: [...programs, [OTHER, caller]],
    accounts: feed(),
    instructions: [instructionFor(OTHER, ...accounts)],
    unitLimit: 200_000,
  });
  expect(error).toEqual(instructionError(6013));
});

test('the accounts must belong to one feed', () => {
  const instructions = [refresh([3, 4], [SOURCE, SOURCE])];
  const mixed = runTestPrograms({
    programs,
    instructions,
    unitLimit: 200_000,
    accounts: feed({ twapsOf: OTHER }),
  });
  expect(mixed.error).toEqual(instructionError(2001));
  expect(running(refresh([3, 4], [SOURCE, SOURCE], OTHER)).error).toEqual(instructionError(2012));
});
