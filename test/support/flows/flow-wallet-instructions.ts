import { type Address, addressFromBytes, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/associated-token.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/compute-budget.ts';
import { createLookupTable } from '#core/protocol/spl/instructions/lookup-table.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-program.ts';
import { closeAccount, syncNative } from '#core/protocol/spl/instructions/token-account.ts';
import { mintTo, tokenTransfer } from '#core/protocol/spl/instructions/token-transfer.ts';
import { lookupTableAddress } from '#core/protocol/spl/lookup-tables.ts';
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

/** The client chooses the mint. */
const createAccountOf: FlowInstructionBuilder = (context, { instruction }) => {
  const mint = instruction.accounts[3]?.address ?? ZERO_ADDRESS;
  return createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      payer: context.user,
      ata: context.ata(mint),
      owner: context.user,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: context.tokenProgram(mint),
    },
    args: {},
  });
};

const newLookupTable: FlowInstructionBuilder = (context) => {
  const { address, bump } = lookupTableAddress(context.user, context.flow.at.slot);
  return createLookupTable.build(ADDRESS_LOOKUP_TABLE_PROGRAM, {
    accounts: {
      lookupTable: address,
      authority: context.user,
      payer: context.user,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { recentSlot: context.flow.at.slot, bump },
  });
};

const wrap: FlowInstructionBuilder = (context, recorded) =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: context.user, to: context.ata(WRAPPED_SOL_MINT) },
    args: { lamports: toLamports(amountArgument(recorded, 'lamports')) },
  });

const syncWrapped: FlowInstructionBuilder = (context) =>
  syncNative.build(TOKEN_PROGRAM, {
    accounts: { account: context.ata(WRAPPED_SOL_MINT) },
    args: {},
  });

/** Unwraps SOL, or closes the empty share account of another vault. */
const close: FlowInstructionBuilder = (context) => {
  const vault = context.parameters.vault === undefined ? undefined : flowVault(context);
  const wrapped = vault === undefined || vault.tokenMint === WRAPPED_SOL_MINT;
  return closeAccount.build(TOKEN_PROGRAM, {
    accounts: {
      account: context.ata(wrapped ? WRAPPED_SOL_MINT : vault.sharesMint),
      destination: context.user,
      owner: context.user,
    },
    args: {},
  });
};

/**
 * A swap with the mint authority of the collateral: it buys what the user sells, and vice versa.
 */
const swapTransfer: FlowInstructionBuilder = (context, recorded) => {
  const { coll = '', debt = '' } = context.parameters;
  const isIncrease = ['30-multiply-open', '31-multiply-more'].includes(context.flow.name);
  const counterparty = mintAuthority(context, context.mint(coll));
  const isSale = !recorded.before.some(({ data }) => data[0] === tokenTransfer.discriminator[0]);
  const mint = context.mint(isSale === isIncrease ? debt : coll);
  const [from, to] = isSale ? [context.user, counterparty] : [counterparty, context.user];
  return tokenTransfer.build(TOKEN_PROGRAM, {
    accounts: {
      source: context.ata(mint, from),
      destination: context.ata(mint, to),
      authority: from,
    },
    args: { amount: amountArgument(recorded, 'amount') },
  });
};

const mintCollateral: FlowInstructionBuilder = (context, recorded) => {
  const mint = context.mint(context.parameters.coll ?? '');
  return mintTo.build(TOKEN_PROGRAM, {
    accounts: { mint, account: context.ata(mint), mintAuthority: mintAuthority(context, mint) },
    args: { amount: amountArgument(recorded, 'amount') },
  });
};

/** Bytes 4 to 36 of a mint are its authority. */
function mintAuthority(context: FlowContext, mint: Address): Address {
  const data = context.flow.before.get(mint)?.data ?? new Uint8Array(36);
  return addressFromBytes(data.subarray(4, 36));
}

const unitLimit: FlowInstructionBuilder = (_, { args }) =>
  setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, {
    accounts: {},
    args: { units: Number(args['units']) },
  });

/** By program and instruction name, for programs that a wallet calls directly. */
export const flowWalletInstructions: Readonly<
  Record<string, Readonly<Record<string, FlowInstructionBuilder>>>
> = {
  [ASSOCIATED_TOKEN_PROGRAM]: { createIdempotent: createAccountOf },
  [ADDRESS_LOOKUP_TABLE_PROGRAM]: { createLookupTable: newLookupTable },
  [SYSTEM_PROGRAM]: { transfer: wrap },
  [TOKEN_PROGRAM]: {
    syncNative: syncWrapped,
    closeAccount: close,
    transfer: swapTransfer,
    mintTo: mintCollateral,
  },
  [COMPUTE_BUDGET_PROGRAM]: { setComputeUnitLimit: unitLimit },
};
