import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import type { AccountMeta, Instruction, RawInstruction } from '#core/base/solana/instruction.ts';
import type { AnyDecodedInstruction } from '#core/base/solana/instruction-set.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { kvaultInstructions } from '#core/protocol/kvault/instruction-set.ts';
import { scopeInstructions } from '#core/protocol/scope/instruction-set.ts';
import { advanceNonceAccount } from '#core/protocol/spl/instructions/advance-nonce-account.ts';
import { approve } from '#core/protocol/spl/instructions/approve.ts';
import { approveChecked } from '#core/protocol/spl/instructions/approve-checked.ts';
import { assign } from '#core/protocol/spl/instructions/assign.ts';
import { burn } from '#core/protocol/spl/instructions/burn.ts';
import { burnChecked } from '#core/protocol/spl/instructions/burn-checked.ts';
import { closeAccount } from '#core/protocol/spl/instructions/close-account.ts';
import { closeLookupTable } from '#core/protocol/spl/instructions/close-lookup-table.ts';
import { createAccount } from '#core/protocol/spl/instructions/create-account.ts';
import { createAssociatedToken } from '#core/protocol/spl/instructions/create-associated-token.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/create-associated-token-idempotent.ts';
import { createLookupTable } from '#core/protocol/spl/instructions/create-lookup-table.ts';
import { deactivateLookupTable } from '#core/protocol/spl/instructions/deactivate-lookup-table.ts';
import { extendLookupTable } from '#core/protocol/spl/instructions/extend-lookup-table.ts';
import { initializeAccount3 } from '#core/protocol/spl/instructions/initialize-account3.ts';
import { mintTo } from '#core/protocol/spl/instructions/mint-to.ts';
import { mintToChecked } from '#core/protocol/spl/instructions/mint-to-checked.ts';
import { revoke } from '#core/protocol/spl/instructions/revoke.ts';
import { setAuthority } from '#core/protocol/spl/instructions/set-authority.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/set-compute-unit-limit.ts';
import { setComputeUnitPrice } from '#core/protocol/spl/instructions/set-compute-unit-price.ts';
import { syncNative } from '#core/protocol/spl/instructions/sync-native.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-transfer.ts';
import { tokenTransfer } from '#core/protocol/spl/instructions/token-transfer.ts';
import { transferChecked } from '#core/protocol/spl/instructions/transfer-checked.ts';
import { transferCheckedWithFee } from '#core/protocol/spl/instructions/transfer-checked-with-fee.ts';

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
