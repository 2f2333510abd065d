import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesFromHex, concatBytes } from '#core/base/encoding/bytes.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { kvaultInstructions } from '#core/protocol/kvault/instruction-set.ts';
import { scopeInstructions } from '#core/protocol/scope/instruction-set.ts';
import { splInstructions } from '#core/protocol/spl/instruction-set.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { codecsByProgram } from '../support/protocol/codecs.ts';
import { deployedInterfaces } from '../support/protocol/deployed-interfaces.ts';
import { published } from '../support/protocol/published-instructions.ts';

const sets = {
  klend: klendInstructions,
  kvault: kvaultInstructions,
  farms: farmsInstructions,
  scope: scopeInstructions,
};

const camel = (snake: string) =>
  snake.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const discriminatorOf = (snake: string) =>
  Uint8Array.from(createHash('sha256').update(`global:${snake}`).digest().subarray(0, 8));

test.each(Object.keys(published.programs))(
  'every published instruction of %s has a codec',
  (program) => {
    const names = codecsByProgram[program]?.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(Object.keys(published.programs[program]?.instructions ?? {})),
    );
  },
);

test.each([
  ['klend', 63],
  ['kvault', 22],
  ['farms', 27],
] as const)('every published discriminator of %s has its name', (program, count) => {
  const discriminators = Object.entries(published.programs[program]?.allDiscriminators ?? {});
  expect(discriminators).toHaveLength(count);
  for (const [discriminator, name] of discriminators) {
    const data = concatBytes([bytesFromHex(discriminator), Uint8Array.of(1, 2, 3)]);
    expect(sets[program].nameOf(data)).toBe(name);
    const withCodec = sets[program].codecs.some((codec) => codec.name === name);
    expect(sets[program].codecOf(data)?.name).toBe(withCodec ? name : undefined);
  }
});

test.each([
  ['klend', 'calculate_ctoken_exchange_rate'],
  ['klend', 'fill_borrow_order_v2'],
  ['klend', 'set_borrow_order_v2'],
  ['kvault', 'buy_with_min_shares_out'],
  ['kvault', 'deposit_with_min_shares_out'],
  ['kvault', 'invest_with_max_amount'],
  ['kvault', 'update_reserve_allocation_v2'],
  ['scope', 'refresh_price_list'],
  ['scope', 'initialize'],
  ['scope', 'refresh_chainlink_price'],
  ['scope', 'refresh_pyth_lazer_price'],
  ['scope', 'update_mapping_and_metadata'],
  ['scope', 'reset_twap'],
  ['scope', 'set_admin_cached'],
  ['scope', 'approve_admin_cached'],
  ['scope', 'create_mint_map'],
  ['scope', 'close_mint_map'],
  ['scope', 'resume_chainlinkx_price'],
  ['scope', 'freeze_price'],
  ['scope', 'set_emergency_council'],
  ['scope', 'set_resume_authority'],
] as const)('a newer instruction of %s has a name: %s', (program, snake) => {
  expect(sets[program].nameOf(discriminatorOf(snake))).toBe(camel(snake));
});

test.each(['klend', 'kvault', 'farms'] as const)(
  'every instruction of the deployed interface of %s has a name',
  (program) => {
    const instructions = Object.entries(deployedInterfaces[program].instructions);
    expect(instructions.length).toBeGreaterThan(20);
    for (const [discriminator, name] of instructions) {
      const ours = sets[program].nameOf(bytesFromHex(discriminator));
      expect(ours?.toLowerCase()).toBe(camel(name).toLowerCase());
    }
  },
);

test('an unknown, truncated or missing discriminator has neither name nor codec', () => {
  for (const set of Object.values(sets)) {
    for (const hex of ['', '00', 'ffffffffffffffff', '02da8aeb4fc919']) {
      expect(set.nameOf(bytesFromHex(hex))).toBeUndefined();
      expect(set.codecOf(bytesFromHex(hex))).toBeUndefined();
    }
  }
});

test.each([
  [TOKEN_PROGRAM, '03ff', 'transfer'],
  [TOKEN_2022_PROGRAM, '03ff', 'transfer'],
  [TOKEN_PROGRAM, '0c', 'transferChecked'],
  [TOKEN_PROGRAM, '12', 'initializeAccount3'],
  [TOKEN_PROGRAM, '0a', 'freezeAccount'],
  [TOKEN_2022_PROGRAM, '1a01', 'transferCheckedWithFee'],
  [TOKEN_PROGRAM, '1a01', undefined],
  [TOKEN_2022_PROGRAM, '1a00', undefined],
  [ASSOCIATED_TOKEN_PROGRAM, '', 'create'],
  [ASSOCIATED_TOKEN_PROGRAM, '00', 'create'],
  [ASSOCIATED_TOKEN_PROGRAM, '01', 'createIdempotent'],
  [ASSOCIATED_TOKEN_PROGRAM, '02', 'recoverNested'],
  [ASSOCIATED_TOKEN_PROGRAM, '03', undefined],
  [SYSTEM_PROGRAM, '02000000', 'transfer'],
  [SYSTEM_PROGRAM, '020000', undefined],
  [SYSTEM_PROGRAM, '00000000', 'createAccount'],
  [SYSTEM_PROGRAM, '04000000', 'advanceNonceAccount'],
  [SYSTEM_PROGRAM, '0c000000', 'upgradeNonceAccount'],
  [COMPUTE_BUDGET_PROGRAM, '0100800000', 'requestHeapFrame'],
  [COMPUTE_BUDGET_PROGRAM, '0240420f00', 'setComputeUnitLimit'],
  [COMPUTE_BUDGET_PROGRAM, '03', 'setComputeUnitPrice'],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, '02000000', 'extendLookupTable'],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, '01000000', 'freezeLookupTable'],
] as const)('program %s names the discriminator %s as %s', (...[program, hex, name]) => {
  expect(splInstructions(program)?.nameOf(bytesFromHex(hex))).toBe(name);
});

test('create without data decodes like create with data', () => {
  const set = splInstructions(ASSOCIATED_TOKEN_PROGRAM);
  const accounts = Array.from({ length: 6 }, () => TOKEN_PROGRAM);
  const read = (data: Uint8Array) =>
    set?.codecOf(data)?.decode(ASSOCIATED_TOKEN_PROGRAM, { data, accounts });
  expect(read(new Uint8Array())).toEqual(read(Uint8Array.of(0)));
  expect(read(new Uint8Array())?.accounts['mint']).toBe(TOKEN_PROGRAM);
});

test('an unknown program has no instructions', () => {
  expect(splInstructions(INSTRUCTIONS_SYSVAR)).toBeUndefined();
});
