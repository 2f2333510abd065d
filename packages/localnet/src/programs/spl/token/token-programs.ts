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
import { tokenAccountSize } from './account-extensions.ts';
import { closeTokenAccount } from './close-account.ts';
import { approveDelegate, revokeDelegate } from './delegation.ts';
import { setFrozen } from './freeze-account.ts';
import {
  addImmutableOwner,
  initializeMintAccount,
  initializeTokenAccount,
  readInitializedMint,
} from './initialize-account.ts';
import { burnTokens, mintTokens } from './mint-and-burn.ts';
import { changeAuthority } from './set-authority.ts';
import { syncNativeBalance } from './sync-native-balance.ts';
import { tokenFailure, toTokenFailure } from './token-errors.ts';
import { isToken2022 } from './token-state.ts';
import { transferTokens } from './transfer.ts';

/** Without what wrapped SOL and the look at a mint take. */
type Units = {
  readonly transfer: number;
  readonly checkedTransfer: number;
  readonly minting: number;
  readonly burning: number;
  readonly authority: number;
  readonly closing: number;
  readonly syncing: number;
  readonly opening: number;
  readonly sizing: number;
  readonly immutable: number;
  readonly refusing: number;
};

const TOKEN_UNITS: Units = {
  transfer: 76,
  checkedTransfer: 105,
  minting: 119,
  burning: 123,
  authority: 124,
  closing: 118,
  syncing: 201,
  opening: 230,
  sizing: 183,
  immutable: 38,
  refusing: 100,
};

const TOKEN_2022_UNITS: Units = {
  transfer: 2_000,
  checkedTransfer: 2_615,
  minting: 1_900,
  burning: 1_900,
  authority: 1_600,
  closing: 1_900,
  syncing: 1_500,
  opening: 2_400,
  sizing: 1_595,
  immutable: 674,
  refusing: 500,
};

/** Says nothing about what it does. */
export const tokenProgram = createNativeProgram({
  handlers: handlersOf(TOKEN_UNITS),
  unitsToRefuse: TOKEN_UNITS.refusing,
  unreadable: (call) => tokenFailure(call, 'InvalidInstruction'),
  refusal: toTokenFailure,
});

export const token2022Program = createNativeProgram({
  handlers: [...handlersOf(TOKEN_2022_UNITS), withFee(TOKEN_2022_UNITS)],
  unitsToRefuse: TOKEN_2022_UNITS.refusing,
  begin: logInstructionName,
  unreadable: (call) => tokenFailure(call, 'InvalidInstruction'),
  refusal: toTokenFailure,
});

function handlersOf(units: Units): NativeHandler[] {
  return [...movements(units), ...rights(units), ...openings(units)];
}

function movements(units: Units): NativeHandler[] {
  return [
    nativeHandler(tokenTransfer, units.transfer, ({ accounts, args }, call) =>
      transferTokens(call, { ...accounts, ...args }),
    ),
    nativeHandler(transferChecked, units.checkedTransfer, ({ accounts, args }, call) =>
      transferTokens(call, { ...accounts, amount: args.amount, mint: named(accounts, args) }),
    ),
    nativeHandler(mintTo, units.minting, ({ accounts, args }, call) =>
      mintTokens(call, { ...accounts, authority: accounts.mintAuthority, ...args }),
    ),
    nativeHandler(mintToChecked, units.minting, ({ accounts, args }, call) =>
      mintTokens(call, { ...accounts, authority: accounts.mintAuthority, ...args }),
    ),
    nativeHandler(burn, units.burning, ({ accounts, args }, call) =>
      burnTokens(call, { ...accounts, ...args }),
    ),
    nativeHandler(burnChecked, units.burning, ({ accounts, args }, call) =>
      burnTokens(call, { ...accounts, ...args }),
    ),
    nativeHandler(syncNative, units.syncing, ({ accounts }, call) =>
      syncNativeBalance(call, accounts.account),
    ),
  ];
}

/** Of Token-2022 alone. */
function withFee(units: Units): NativeHandler {
  return nativeHandler(transferCheckedWithFee, units.checkedTransfer, ({ accounts, args }, call) =>
    transferTokens(call, {
      ...accounts,
      amount: args.amount,
      fee: args.fee,
      mint: named(accounts, args),
    }),
  );
}

function rights(units: Units): NativeHandler[] {
  return [
    nativeHandler(approve, units.authority, ({ accounts, args }, call) =>
      approveDelegate(call, { ...accounts, ...args }),
    ),
    nativeHandler(approveChecked, units.authority, ({ accounts, args }, call) =>
      approveDelegate(call, { ...accounts, amount: args.amount, mint: named(accounts, args) }),
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

function openings(units: Units): NativeHandler[] {
  return [
    nativeHandler(initializeMint2, units.opening, ({ accounts, args, list }, call) =>
      initializeMintAccount(call, { ...accounts, ...args, freezeAuthority: list[0] }),
    ),
    nativeHandler(initializeAccount3, units.opening, ({ accounts, args }, call) =>
      initializeTokenAccount(call, { ...accounts, ...args }),
    ),
    nativeHandler(initializeImmutableOwner, units.immutable, ({ accounts }, call) =>
      addImmutableOwner(call, accounts.account),
    ),
    nativeHandler(closeAccount, units.closing, ({ accounts }, call) =>
      closeTokenAccount(call, accounts),
    ),
    nativeHandler(getAccountDataSize, units.sizing, ({ accounts }, call) => {
      const mint = readInitializedMint(call, accounts.mint);
      const size = isToken2022(call) ? tokenAccountSize(mint, typesIn(call)) : tokenAccount.size;
      call.answer(u64Seed(BigInt(size)));
    }),
  ];
}

const named = (
  { mint }: { readonly mint: Parameters<typeof readInitializedMint>[1] },
  { decimals }: { readonly decimals: number },
) => ({ address: mint, decimals });

/** The numbers of extensions behind the first byte. */
function typesIn({ data }: InvokeContext): number[] {
  const source = new DataView(data.buffer, data.byteOffset, data.length);
  return Array.from({ length: Math.floor((data.length - 1) / 2) }, (_, i) =>
    source.getUint16(1 + i * 2, true),
  );
}
