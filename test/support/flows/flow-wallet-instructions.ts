import { type Address, addressFromBytes, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { closeAccount } from '#core/protocol/spl/instructions/close-account.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/create-associated-token-idempotent.ts';
import { createLookupTable } from '#core/protocol/spl/instructions/create-lookup-table.ts';
import { mintTo } from '#core/protocol/spl/instructions/mint-to.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/set-compute-unit-limit.ts';
import { syncNative } from '#core/protocol/spl/instructions/sync-native.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-transfer.ts';
import { tokenTransfer } from '#core/protocol/spl/instructions/token-transfer.ts';
import { lookupTableAddress } from '#core/protocol/spl/lookup-table-address.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '#core/protocol/spl/programs.ts';
import type { FlowContext } from './flow-context.ts';
import { amountArgument, type FlowInstructionBuilder } from './flow-lending-instructions.ts';
import { flowVault } from './flow-vault-instructions.ts';

/** For which mint is the client's choice. */
const createAccountOf: FlowInstructionBuilder = (scene, { instruction }) => {
  const mint = instruction.accounts[3]?.address ?? ZERO_ADDRESS;
  return createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      payer: scene.user,
      ata: scene.ata(mint),
      owner: scene.user,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: scene.tokenProgram(mint),
    },
    args: {},
  });
};

const newLookupTable: FlowInstructionBuilder = (scene) => {
  const { address, bump } = lookupTableAddress(scene.user, scene.flow.at.slot);
  return createLookupTable.build(ADDRESS_LOOKUP_TABLE_PROGRAM, {
    accounts: {
      lookupTable: address,
      authority: scene.user,
      payer: scene.user,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { recentSlot: scene.flow.at.slot, bump },
  });
};

const wrap: FlowInstructionBuilder = (scene, found) =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: scene.user, to: scene.ata(WRAPPED_SOL_MINT) },
    args: { lamports: toLamports(amountArgument(found, 'lamports')) },
  });

const countWrapped: FlowInstructionBuilder = (scene) =>
  syncNative.build(TOKEN_PROGRAM, {
    accounts: { account: scene.ata(WRAPPED_SOL_MINT) },
    args: {},
  });

/** SOL is unwrapped at the end; of another vault the empty share account is closed. */
const close: FlowInstructionBuilder = (scene) => {
  const vault = scene.parameters.vault === undefined ? undefined : flowVault(scene);
  const wrapped = vault === undefined || vault.tokenMint === WRAPPED_SOL_MINT;
  return closeAccount.build(TOKEN_PROGRAM, {
    accounts: {
      account: scene.ata(wrapped ? WRAPPED_SOL_MINT : vault.sharesMint),
      destination: scene.user,
      owner: scene.user,
    },
    args: {},
  });
};

/** A desk takes what the user sells and gives what is bought; it is who may mint the collateral. */
const swapLeg: FlowInstructionBuilder = (scene, found) => {
  const { coll = '', debt = '' } = scene.parameters;
  const more = ['30-multiply-open', '31-multiply-more'].includes(scene.flow.name);
  const desk = mintAuthority(scene, scene.mint(coll));
  const sold = !found.before.some(({ data }) => data[0] === tokenTransfer.discriminator[0]);
  const mint = scene.mint(sold === more ? debt : coll);
  const [from, to] = sold ? [scene.user, desk] : [desk, scene.user];
  return tokenTransfer.build(TOKEN_PROGRAM, {
    accounts: { source: scene.ata(mint, from), destination: scene.ata(mint, to), authority: from },
    args: { amount: amountArgument(found, 'amount') },
  });
};

const mintLeg: FlowInstructionBuilder = (scene, found) => {
  const mint = scene.mint(scene.parameters.coll ?? '');
  return mintTo.build(TOKEN_PROGRAM, {
    accounts: { mint, account: scene.ata(mint), mintAuthority: mintAuthority(scene, mint) },
    args: { amount: amountArgument(found, 'amount') },
  });
};

/** A mint starts with four bytes that say whether the next 32 are its authority. */
function mintAuthority(scene: FlowContext, mint: Address): Address {
  const data = scene.flow.before.get(mint)?.data ?? new Uint8Array(36);
  return addressFromBytes(data.subarray(4, 36));
}

const unitLimit: FlowInstructionBuilder = (_, { args }) =>
  setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, {
    accounts: {},
    args: { units: Number(args['units']) },
  });

/** By the instruction's name, for each program that a wallet uses directly. */
export const flowWalletInstructions: Readonly<
  Record<string, Readonly<Record<string, FlowInstructionBuilder>>>
> = {
  [ASSOCIATED_TOKEN_PROGRAM]: { createIdempotent: createAccountOf },
  [ADDRESS_LOOKUP_TABLE_PROGRAM]: { createLookupTable: newLookupTable },
  [SYSTEM_PROGRAM]: { transfer: wrap },
  [TOKEN_PROGRAM]: {
    syncNative: countWrapped,
    closeAccount: close,
    transfer: swapLeg,
    mintTo: mintLeg,
  },
  [COMPUTE_BUDGET_PROGRAM]: { setComputeUnitLimit: unitLimit },
};
