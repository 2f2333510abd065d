import { u64Seed } from '@tidegate/core/base';
import {
  approve,
  approveChecked,
  burn,
  burnChecked,
  closeAccount,
  freezeAccount,
  getAccountDataSize,
  initializeAccount3,
  initializeImmutableOwner,
  initializeMint2,
  mintTo,
  mintToChecked,
  revoke,
  setAuthority,
  syncNative,
  thawAccount,
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '@tidegate/core/protocol/spl/instructions';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import {
  createNativeProgram,
  logInstructionName,
  type NativeHandler,
  nativeHandler,
} from '../../framework/native-program.ts';
import {
  approveDelegate,
  closeTokenAccount,
  revokeDelegate,
  setFrozen,
  syncNativeBalance,
} from './account-operations.ts';
import { changeAuthority } from './authorities.ts';
import {
  addImmutableOwner,
  initializeMintAccount,
  initializeTokenAccount,
  readInitializedMint,
  tokenAccountSize,
} from './initialize-account.ts';
import { isToken2022, tokenFailure, toTokenFailure } from './token-state.ts';
import { burnTokens, mintTokens, transferTokens } from './transfers.ts';

/** Base compute units, without those for wrapped SOL and for reading a mint. */
type Units = {
  readonly transfer: number;
  readonly checkedTransfer: number;
  readonly mint: number;
  readonly burn: number;
  readonly authority: number;
  readonly close: number;
  readonly sync: number;
  readonly initialize: number;
  readonly size: number;
  readonly immutableOwner: number;
  readonly rejection: number;
};

const TOKEN_UNITS: Units = {
  transfer: 76,
  checkedTransfer: 105,
  mint: 119,
  burn: 123,
  authority: 124,
  close: 118,
  sync: 201,
  initialize: 230,
  size: 183,
  immutableOwner: 38,
  rejection: 100,
};

const TOKEN_2022_UNITS: Units = {
  transfer: 2_000,
  checkedTransfer: 2_615,
  mint: 1_900,
  burn: 1_900,
  authority: 1_600,
  close: 1_900,
  sync: 1_500,
  initialize: 2_400,
  size: 1_595,
  immutableOwner: 674,
  rejection: 500,
};

/** Logs no instruction names. */
export const tokenProgram = createNativeProgram({
  handlers: createHandlers(TOKEN_UNITS),
  rejectionUnits: TOKEN_UNITS.rejection,
  malformedData: (call) => tokenFailure(call, 'InvalidInstruction'),
  toFailure: toTokenFailure,
});

export const token2022Program = createNativeProgram({
  handlers: [...createHandlers(TOKEN_2022_UNITS), feeTransferHandler(TOKEN_2022_UNITS)],
  rejectionUnits: TOKEN_2022_UNITS.rejection,
  onStart: logInstructionName,
  malformedData: (call) => tokenFailure(call, 'InvalidInstruction'),
  toFailure: toTokenFailure,
});

function createHandlers(units: Units): NativeHandler[] {
  return [...transferHandlers(units), ...authorityHandlers(units), ...accountHandlers(units)];
}

function transferHandlers(units: Units): NativeHandler[] {
  return [
    nativeHandler(tokenTransfer, units.transfer, ({ accounts, args }, call) =>
      transferTokens(call, { ...accounts, ...args }),
    ),
    nativeHandler(transferChecked, units.checkedTransfer, ({ accounts, args }, call) =>
      transferTokens(call, { ...accounts, amount: args.amount, mint: checkedMint(accounts, args) }),
    ),
    nativeHandler(mintTo, units.mint, ({ accounts, args }, call) =>
      mintTokens(call, { ...accounts, authority: accounts.mintAuthority, ...args }),
    ),
    nativeHandler(mintToChecked, units.mint, ({ accounts, args }, call) =>
      mintTokens(call, { ...accounts, authority: accounts.mintAuthority, ...args }),
    ),
    nativeHandler(burn, units.burn, ({ accounts, args }, call) =>
      burnTokens(call, { ...accounts, ...args }),
    ),
    nativeHandler(burnChecked, units.burn, ({ accounts, args }, call) =>
      burnTokens(call, { ...accounts, ...args }),
    ),
    nativeHandler(syncNative, units.sync, ({ accounts }, call) =>
      syncNativeBalance(call, accounts.account),
    ),
  ];
}

/** Only in Token-2022. */
function feeTransferHandler(units: Units): NativeHandler {
  return nativeHandler(transferCheckedWithFee, units.checkedTransfer, ({ accounts, args }, call) =>
    transferTokens(call, {
      ...accounts,
      amount: args.amount,
      fee: args.fee,
      mint: checkedMint(accounts, args),
    }),
  );
}

function authorityHandlers(units: Units): NativeHandler[] {
  return [
    nativeHandler(approve, units.authority, ({ accounts, args }, call) =>
      approveDelegate(call, { ...accounts, ...args }),
    ),
    nativeHandler(approveChecked, units.authority, ({ accounts, args }, call) =>
      approveDelegate(call, {
        ...accounts,
        amount: args.amount,
        mint: checkedMint(accounts, args),
      }),
    ),
    nativeHandler(revoke, units.authority, ({ accounts }, call) =>
      revokeDelegate(call, accounts.source, accounts.owner),
    ),
    nativeHandler(setAuthority, units.authority, ({ accounts, args, list }, call) =>
      changeAuthority(call, { ...accounts, ...args, next: list[0] }),
    ),
    nativeHandler(freezeAccount, units.authority, ({ accounts }, call) =>
      setFrozen(call, accounts, true),
    ),
    nativeHandler(thawAccount, units.authority, ({ accounts }, call) =>
      setFrozen(call, accounts, false),
    ),
  ];
}

function accountHandlers(units: Units): NativeHandler[] {
  return [
    nativeHandler(initializeMint2, units.initialize, ({ accounts, args, list }, call) =>
      initializeMintAccount(call, { ...accounts, ...args, freezeAuthority: list[0] }),
    ),
    nativeHandler(initializeAccount3, units.initialize, ({ accounts, args }, call) =>
      initializeTokenAccount(call, { ...accounts, ...args }),
    ),
    nativeHandler(initializeImmutableOwner, units.immutableOwner, ({ accounts }, call) =>
      addImmutableOwner(call, accounts.account),
    ),
    nativeHandler(closeAccount, units.close, ({ accounts }, call) =>
      closeTokenAccount(call, accounts),
    ),
    nativeHandler(getAccountDataSize, units.size, ({ accounts }, call) => {
      const mint = readInitializedMint(call, accounts.mint);
      const size = isToken2022(call)
        ? tokenAccountSize(mint, extensionTypes(call))
        : tokenAccount.size;
      call.setReturnData(u64Seed(BigInt(size)));
    }),
  ];
}

const checkedMint = (
  { mint }: { readonly mint: Parameters<typeof readInitializedMint>[1] },
  { decimals }: { readonly decimals: number },
) => ({ address: mint, decimals });

/** The extension types after the first byte. */
function extensionTypes({ data }: InvokeContext): number[] {
  const source = new DataView(data.buffer, data.byteOffset, data.length);
  return Array.from({ length: Math.floor((data.length - 1) / 2) }, (_, i) =>
    source.getUint16(1 + i * 2, true),
  );
}
