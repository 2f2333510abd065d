import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { InstructionSpec } from './instruction-spec.ts';
import { lendingInstructions } from './lending-instructions.ts';
import { vaultInstructions } from './vault-instructions.ts';
import { walletInstructions } from './wallet-instructions.ts';

type Published = {
  readonly discriminator?: string;
  readonly data?: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  readonly accounts: readonly {
    readonly name: string;
    readonly role: string;
    readonly optional?: boolean;
  }[];
  readonly remaining?: string;
};

type Interface = { readonly instructions: Record<string, Published> };

const readFixture = (name: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../../test/fixtures/protocol/${name}.json`, import.meta.url),
      'utf8',
    ),
  );

const { programs } = readFixture('instructions') as { programs: Record<string, Interface> };
const newer = readFixture('admin-instructions') as Record<string, Interface>;

const ROLES = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'];

/** The last part of a name: groups are not part of the encoding, and repeated names get a prefix here. */
const shortName = (name: string): string => name.split('.').at(-1) ?? '';
const REPEATED: Readonly<Record<string, string>> = {
  reserveVaultState: 'vaultState',
  outerEventAuthority: 'eventAuthority',
  outerProgram: 'program',
  collateralObligationFarmUserState: 'obligationFarmUserState',
  collateralReserveFarmState: 'reserveFarmState',
  debtObligationFarmUserState: 'obligationFarmUserState',
  debtReserveFarmState: 'reserveFarmState',
};

test.each(
  [...lendingInstructions, ...vaultInstructions, ...walletInstructions].map(
    (spec) => [`${spec.program} ${spec.name}`, spec] as const,
  ),
)('%s is encoded as published', (_, spec: InstructionSpec) => {
  const published =
    programs[spec.program]?.instructions[spec.name] ?? newer[spec.program]?.instructions[spec.name];
  expect(spec.prefix).toBe(published?.discriminator ?? published?.data);
  expect(
    spec.accounts.map(({ name, isSigner, isWritable, isOptional }) => ({
      name: REPEATED[name] ?? name,
      role: ROLES[(isSigner ? 2 : 0) + (isWritable ? 1 : 0)],
      isOptional,
    })),
  ).toEqual(
    published?.accounts.map(({ name, role, optional = false }) => ({
      name: shortName(name),
      role,
      isOptional: optional,
    })),
  );
  // the two numbers of a new loan are one struct in the publication
  const args = spec.args.map(({ type }) => type).join();
  const expected = published?.args.map(({ type }) => type).join();
  expect(args).toBe(expected === 'InitObligationArgs' ? 'u8,u8' : expected);
});
