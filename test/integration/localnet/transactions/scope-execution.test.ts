import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { AccountMeta, Instruction } from '#core/base/solana/instruction.ts';
import { refreshPriceList } from '#core/protocol/scope/instructions/refresh-price-list.ts';
import { oracleMappings } from '#core/protocol/scope/layout/oracle-mappings.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { oracleTwaps } from '#core/protocol/scope/layout/oracle-twaps.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { scopeProgram } from '#localnet/programs/scope/scope-program.ts';
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

/** Entries 3 and 4 have a source, no other has. */
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
  given: readonly Address[] = [],
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
    remaining: given.map((address): AccountMeta => ({ address, role: 0 })),
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

const refused = (code: number, index = 0) => ({ InstructionError: [index, { Custom: code }] });

type Refusal = { readonly of: readonly number[]; readonly with: readonly Address[] };

test.each<[string, Refusal, number]>([
  ['one entry, whose source is elsewhere', { of: [3], with: [SOURCE] }, 6010],
  ['no entry', { of: [], with: [] }, 6023],
  ['more entries than accounts', { of: [3, 4], with: [SOURCE] }, 6006],
  ['an entry that no feed has', { of: [512], with: [SOURCE] }, 6007],
  ['another account than the source', { of: [3, 4], with: [SOURCE, OTHER] }, 6004],
])('a refresh of %s is refused', (_, asked, code) => {
  expect(running(refresh(asked.of, asked.with)).error).toEqual(refused(code));
});

test('of several entries those without a source at hand are skipped, and nothing changes', () => {
  const { error, changes, logs } = running(refresh([3, 4], [SOURCE, SOURCE]));
  expect([error, changes.size]).toEqual([undefined, 0]);
  expect(logs).toContain('Program log: Price skipped as validation failed (token 4)');
});

test('an entry that is not in use is skipped even alone', () => {
  const { error, logs } = running(refresh([7], [OTHER]));
  expect(error).toBeUndefined();
  expect(logs).toContain('Program log: Skipping token 7 as no mapping is set');
});

test('only the budget of the transaction may come before it', () => {
  const several = refresh([3, 4], [SOURCE, SOURCE]);
  expect(running(instructionFor(COMPUTE_BUDGET_PROGRAM), several).error).toBeUndefined();
  expect(running(instructionFor(SYSTEM_PROGRAM), several).error).toEqual(refused(6013, 1));
  expect(running(several, instructionFor(SYSTEM_PROGRAM)).error).toBeUndefined();
});

test('no program may call it', () => {
  const several = refresh([3, 4], [SOURCE, SOURCE]);
  const caller = testProgram((call) => call.invoke(several));
  const accounts = [...several.accounts, { address: SCOPE_PROGRAM, role: 0 } as const];
  const { error } = runTestPrograms({
    programs: [...programs, [OTHER, caller]],
    accounts: feed(),
    instructions: [instructionFor(OTHER, ...accounts)],
    unitLimit: 200_000,
  });
  expect(error).toEqual(refused(6012));
});

test('the accounts must be of one feed', () => {
  const instructions = [refresh([3, 4], [SOURCE, SOURCE])];
  const mixed = runTestPrograms({
    ...{ programs, instructions, unitLimit: 200_000 },
    accounts: feed({ twapsOf: OTHER }),
  });
  expect(mixed.error).toEqual(refused(2001));
  expect(running(refresh([3, 4], [SOURCE, SOURCE], OTHER)).error).toEqual(refused(2012));
});
