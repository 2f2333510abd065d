import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { type Address, addressToBytes } from '../../../base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '../../../base/encoding/bytes.ts';
import { encodeTexts } from '../../../base/encoding/texts.ts';
import type { InstructionDecoder, InstructionSet } from '../../../base/solana/instruction-set.ts';
import { farmsInstructions } from '../../../protocol/farms/instruction-set.ts';
import { FARMS_PROGRAM } from '../../../protocol/farms/program.ts';
import { klendInstructions } from '../../../protocol/klend/instruction-set.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../../../protocol/klend/program.ts';
import { kvaultInstructions } from '../../../protocol/kvault/instruction-set.ts';
import { KVAULT_PROGRAM } from '../../../protocol/kvault/program.ts';
import { scopeInstructions } from '../../../protocol/scope/instruction-set.ts';
import { SCOPE_PROGRAM } from '../../../protocol/scope/program.ts';
import { splInstructions } from '../../../protocol/spl/instruction-set.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../protocol/spl/programs.ts';
import type { DescriptionContext } from './instruction-description.ts';
import { describedInstructions } from './program-descriptions.ts';

const spl = [
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  ADDRESS_LOOKUP_TABLE_PROGRAM,
].map((program): [Address, InstructionSet | undefined] => [program, splInstructions(program)]);

const programs: readonly [Address, InstructionSet | undefined][] = [
  [KLEND_PROGRAM, klendInstructions],
  [KLEND_STAGING_PROGRAM, klendInstructions],
  [KVAULT_PROGRAM, kvaultInstructions],
  [FARMS_PROGRAM, farmsInstructions],
  [SCOPE_PROGRAM, scopeInstructions],
  ...spl,
];

const codecs = programs.flatMap(([program, set]) =>
  (set?.codecs ?? []).map((codec): [string, Address, InstructionDecoder] => [
    codec.name,
    program,
    codec,
  ]),
);

/** Without any labels. */
const context: DescriptionContext = {
  wallet: numberedAddress(0),
  name: (address) => `<${address}>`,
  tokens: (amount) => `<${amount} tokens>`,
  unit: () => '<token>',
  mintOf: () => undefined,
  ownerOf: () => undefined,
  stakedMint: () => undefined,
  isOwn: () => false,
};

/** All bytes after the discriminator are 0 or 255, to cover the branches for zero and maximum. */
const dataOf = ({ discriminator }: InstructionDecoder, byte: number) =>
  discriminator.length === 0
    ? discriminator
    : concatBytes([discriminator, new Uint8Array(160).fill(byte)]);

test('every codec of every program has a description', () => {
  for (const [program, set] of programs) {
    const described = describedInstructions(program)?.codecs.map(({ name }) => name);
    expect(described?.toSorted()).toEqual(set?.codecs.map(({ name }) => name).toSorted());
  }
});

test.each(codecs)('%s of %s has a sentence as description', (_, program, codec) => {
  const accounts = Array.from({ length: 40 }, (_, i) => numberedAddress(i + 1));
  const described = describedInstructions(program);
  for (const byte of [0, 255]) {
    const data = dataOf(codec, byte);
    // A list length of 255 bytes exceeds any data.
    if (byte === 255 && codecHasList(codec)) continue;
    const call = described?.codecOf(data)?.decode(program, { data, accounts });
    const sentence = call?.describe(context);
    expect(sentence).toMatch(/^[A-Z][^\n]*[^.\s]$/);
    expect(sentence).not.toMatch(/undefined|null|object/);
    for (const { message } of call?.alerts(context) ?? []) {
      expect(message).toMatch(/^[A-Z<0-9][^\n]*\.$/);
      expect(message).not.toMatch(/undefined|null|object/);
    }
  }
});

const codecHasList = ({ name }: InstructionDecoder): boolean =>
  [
    'setAuthority',
    'extendLookupTable',
    'refreshPriceList',
    'updateReserveConfig',
    'updateVaultConfig',
    'updateFarmConfig',
    'updateObligationConfig',
  ].includes(name);

test('an unknown program has no descriptions', () => {
  expect(describedInstructions(numberedAddress(1))).toBeUndefined();
});

const describe = (program: Address, data: Uint8Array) => {
  const accounts = Array.from({ length: 40 }, (_, i) => numberedAddress(i + 1));
  return describedInstructions(program)?.codecOf(data)?.decode(program, { data, accounts });
};

test('a changed setting of a vault is described with its value', () => {
  const rename = describe(KVAULT_PROGRAM, bytesFromHex('7a0315de9effee9d0804000000e2808b41'));
  expect(rename?.describe(context)).toMatch(/^Set Name of <.*> to “A”$/);
  expect(rename?.values).toEqual({ value: 'A' });
  const fee = describe(KVAULT_PROGRAM, bytesFromHex('7a0315de9effee9d00080000000500000000000000'));
  expect(fee?.describe(context)).toMatch(/^Set PerformanceFeeBps of <.*> to 5$/);
  expect(fee?.values).toEqual({ value: 5n });
});

test('handing a vault to another admin is an alert', () => {
  const admin = numberedAddress(7);
  const data = concatBytes([bytesFromHex('7a0315de9effee9d0720000000'), addressToBytes(admin)]);
  expect(describe(KVAULT_PROGRAM, data)?.alerts(context)).toEqual([
    { kind: 'CHANGES_AUTHORITY', message: `<${admin}> can make itself the admin of the vault.` },
  ]);
});

test('names that anyone can write are quoted and cleaned', () => {
  const texts = encodeTexts(['Steady\u202e “x”', 'kv', 'https://example.com']);
  const data = concatBytes([bytesFromHex('9b227aa5f589936b'), texts]);
  const rename = describe(KVAULT_PROGRAM, data);
  expect(rename?.describe(context)).toMatch(/ to “Steady 'x'”, with the symbol “kv”$/);
  expect(rename?.values).toEqual({ name: 'Steady “x”', symbol: 'kv', uri: 'https://example.com' });
});

test('a rate of a farm is described with its reward', () => {
  const data = bytesFromHex(
    'd6b0bcf4cb3be6cf' + '0000' + '10000000' + '0100000000000000' + '0900000000000000',
  );
  const rate = describe(FARMS_PROGRAM, data);
  expect(rate?.describe(context)).toMatch(/^Set UpdateRewardRps of <.*> to 9 for reward 1$/);
  expect(rate?.values).toEqual({ value: 9n, rewardIndex: 1n });
});
