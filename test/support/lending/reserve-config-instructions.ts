import { readFileSync } from 'node:fs';
import type { Address } from '#core/base/encoding/address.ts';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import type { Instruction, Role } from '#core/base/solana/instruction.ts';
import { globalConfig } from '#core/protocol/klend/layout/global-config.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { globalConfigAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#core/protocol/spl/programs.ts';
import {
  type LendingFlowVariant,
  lendingFlowVariant,
  withAccount,
} from '../flows/lending-flow-variants.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { decodeReserveAt } from './refresh-instructions.ts';

/** Mode numbers of the program. */
export const MODES = { depositLimit: 8, borrowLimit: 9, status: 38 } as const;

export const OBSOLETE_STATUS = [1];

export const ADMIN = numberedAddress(501);

/** A recorded flow on a cluster with the global config, which the recording does not have. */
export function configFlowVariant(number: string): LendingFlowVariant {
  const fields = { globalAdmin: ADMIN, pendingAdmin: ADMIN, feeCollector: ADMIN };
  const data = globalConfig.encode({ ...fields, padding: new Uint8Array(928) });
  const account = { owner: KLEND_PROGRAM, lamports: 1n, data };
  return withAccount(lendingFlowVariant(number), globalConfigAddress(), account);
}

export type ConfigChange = {
  readonly reserve: Address;
  readonly mode: number;
  readonly value: readonly number[];
  /** The last byte. Omitted if undefined. */
  readonly skip?: number | undefined;
  /** Replaced accounts by index. */
  readonly replacedAccounts?: Readonly<
    Record<number, { readonly address?: Address; readonly role?: Role }>
  >;
};

/** Encodes the instruction without the codec. The market owner signs by default. */
export function updateConfigInstruction(
  { accounts }: LendingFlowVariant,
  setting: ConfigChange,
): Instruction {
  const { reserve, mode, value, replacedAccounts = {} } = setting;
  const skip = 'skip' in setting ? setting.skip : 0;
  const { lendingMarket: market } = decodeReserveAt(accounts, reserve);
  const metas: readonly { readonly address: Address; readonly role: Role }[] = [
    { address: ownerOf(accounts, market), role: 2 },
    { address: globalConfigAddress(), role: 0 },
    { address: market, role: 0 },
    { address: reserve, role: 1 },
    { address: INSTRUCTIONS_SYSVAR, role: 0 },
  ];
  const discriminator = bytesFromHex('3d9464468f6b110d');
  const tail = skip === undefined ? [] : [skip];
  return {
    programAddress: KLEND_PROGRAM,
    accounts: metas.map((meta, i) => ({ ...meta, ...replacedAccounts[i] })),
    data: Uint8Array.of(...discriminator, mode, value.length, 0, 0, 0, ...value, ...tail),
  };
}

function ownerOf(accounts: LendingFlowVariant['accounts'], market: Address): Address {
  const account = accounts.get(market);
  if (account === undefined) throw new Error(`no market ${market}`);
  return lendingMarket.decode(account).lendingMarketOwner;
}

/** Inserts the change before the recorded instructions. */
export const withConfigChange = (
  variant: LendingFlowVariant,
  setting: ConfigChange,
): LendingFlowVariant => ({
  ...variant,
  instructions: [updateConfigInstruction(variant, setting), ...variant.instructions],
});

/** Only the change. */
export const onlyConfigChange = (
  variant: LendingFlowVariant,
  setting: ConfigChange,
): LendingFlowVariant => ({
  ...variant,
  instructions: [updateConfigInstruction(variant, setting)],
});

type Leaf = { readonly path: string; readonly offset: number; readonly size: number };

const file = new URL('../../fixtures/protocol/layouts.json', import.meta.url);
const published: Readonly<Record<string, { readonly leaves: readonly Leaf[] }>> = JSON.parse(
  readFileSync(file, 'utf8'),
).accounts;

/** The published offset and size of a field. */
export function publishedField(kind: string, path: string): Leaf {
  const leaf = published[kind]?.leaves.find((each) => each.path === path);
  if (leaf === undefined) throw new Error(`${kind} has no ${path}`);
  return leaf;
}
