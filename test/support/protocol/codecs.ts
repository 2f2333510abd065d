import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import type { AccountMeta, Instruction, RawInstruction } from '#core/base/solana/instruction.ts';
import type { AnyDecodedInstruction } from '#core/base/solana/instruction-set.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { kvaultInstructions } from '#core/protocol/kvault/instruction-set.ts';
import { scopeInstructions } from '#core/protocol/scope/instruction-set.ts';
import {
  createAssociatedToken,
  createAssociatedTokenIdempotent,
} from '#core/protocol/spl/instructions/associated-token.ts';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '#core/protocol/spl/instructions/compute-budget.ts';
import {
  closeLookupTable,
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
} from '#core/protocol/spl/instructions/lookup-table.ts';
import {
  advanceNonceAccount,
  assign,
  createAccount,
  systemTransfer,
} from '#core/protocol/spl/instructions/system-program.ts';
import {
  closeAccount,
  initializeAccount3,
  setAuthority,
  syncNative,
} from '#core/protocol/spl/instructions/token-account.ts';
import {
  approve,
  approveChecked,
  burn,
  burnChecked,
  mintTo,
  mintToChecked,
  revoke,
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '#core/protocol/spl/instructions/token-transfer.ts';

/** An untyped call of any instruction, created from the published tables. */
type AnyCall = {
  readonly accounts: Readonly<Record<string, Address | undefined>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly list?: readonly unknown[] | undefined;
  readonly remaining?: readonly AccountMeta[];
};

export type AnyCodec = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  build(program: Address, call: AnyCall): Instruction;
  decode(program: Address, raw: RawInstruction): AnyDecodedInstruction;
};

/** All codecs by program name in `instructions.json`. */
export const codecsByProgram: Readonly<Record<string, readonly AnyCodec[]>> = {
  klend: klendInstructions.codecs,
  kvault: kvaultInstructions.codecs,
  farms: farmsInstructions.codecs,
  scope: scopeInstructions.codecs,
  associatedToken: [createAssociatedToken, createAssociatedTokenIdempotent],
  token: [
    tokenTransfer,
    transferChecked,
    transferCheckedWithFee,
    approve,
    approveChecked,
    revoke,
    setAuthority,
    mintTo,
    mintToChecked,
    burn,
    burnChecked,
    closeAccount,
    syncNative,
    initializeAccount3,
  ],
  system: [systemTransfer, createAccount, assign, advanceNonceAccount],
  computeBudget: [setComputeUnitLimit, setComputeUnitPrice],
  addressLookupTable: [
    createLookupTable,
    extendLookupTable,
    deactivateLookupTable,
    closeLookupTable,
  ],
};

/** An address derived from a number. */
export function numberedAddress(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressFromBytes(bytes);
}
