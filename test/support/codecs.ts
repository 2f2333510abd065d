import { type Address, addressFromBytes } from '../../src/base/address.ts';
import type { AccountMeta, FoundCall, Instruction } from '../../src/base/instruction.ts';
import type { NamedCall } from '../../src/base/instruction-set.ts';
import { farmsInstructions } from '../../src/protocol/farms/instruction-set.ts';
import { klendInstructions } from '../../src/protocol/klend/instruction-set.ts';
import { kvaultInstructions } from '../../src/protocol/kvault/instruction-set.ts';
import { scopeInstructions } from '../../src/protocol/scope/instruction-set.ts';
import { advanceNonceAccount } from '../../src/protocol/spl/instructions/advance-nonce-account.ts';
import { approve } from '../../src/protocol/spl/instructions/approve.ts';
import { approveChecked } from '../../src/protocol/spl/instructions/approve-checked.ts';
import { assign } from '../../src/protocol/spl/instructions/assign.ts';
import { burn } from '../../src/protocol/spl/instructions/burn.ts';
import { burnChecked } from '../../src/protocol/spl/instructions/burn-checked.ts';
import { closeAccount } from '../../src/protocol/spl/instructions/close-account.ts';
import { closeLookupTable } from '../../src/protocol/spl/instructions/close-lookup-table.ts';
import { createAccount } from '../../src/protocol/spl/instructions/create-account.ts';
import { createAssociatedToken } from '../../src/protocol/spl/instructions/create-associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../src/protocol/spl/instructions/create-associated-token-idempotent.ts';
import { createLookupTable } from '../../src/protocol/spl/instructions/create-lookup-table.ts';
import { deactivateLookupTable } from '../../src/protocol/spl/instructions/deactivate-lookup-table.ts';
import { extendLookupTable } from '../../src/protocol/spl/instructions/extend-lookup-table.ts';
import { initializeAccount3 } from '../../src/protocol/spl/instructions/initialize-account3.ts';
import { mintTo } from '../../src/protocol/spl/instructions/mint-to.ts';
import { mintToChecked } from '../../src/protocol/spl/instructions/mint-to-checked.ts';
import { revoke } from '../../src/protocol/spl/instructions/revoke.ts';
import { setAuthority } from '../../src/protocol/spl/instructions/set-authority.ts';
import { setComputeUnitLimit } from '../../src/protocol/spl/instructions/set-compute-unit-limit.ts';
import { setComputeUnitPrice } from '../../src/protocol/spl/instructions/set-compute-unit-price.ts';
import { syncNative } from '../../src/protocol/spl/instructions/sync-native.ts';
import { systemTransfer } from '../../src/protocol/spl/instructions/system-transfer.ts';
import { tokenTransfer } from '../../src/protocol/spl/instructions/token-transfer.ts';
import { transferChecked } from '../../src/protocol/spl/instructions/transfer-checked.ts';
import { transferCheckedWithFee } from '../../src/protocol/spl/instructions/transfer-checked-with-fee.ts';

/** A call of any instruction, its types left out: tests make them from the published tables. */
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
  decode(program: Address, found: FoundCall): NamedCall;
};

/** Every codec, by the program's name in `instructions.json`. */
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

/** A different address for every number. */
export function numberedAddress(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressFromBytes(bytes);
}
