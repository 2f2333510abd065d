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
import type { Call } from '../../../runtime/program.ts';
import {
  announce,
  handlesPlain,
  type PlainHandler,
  plainProgram,
} from '../../framework/native-program.ts';
import { sizeOfAccount } from './account-extensions.ts';
import { closeTokenAccount } from './close-account.ts';
import { approveDelegate, revokeDelegate } from './delegation.ts';
import { setFrozen } from './freeze-account.ts';
import { mintOf, openAccount, openImmutableOwner, openMint } from './initialize-account.ts';
import { burnTokens, mintTokens } from './mint-and-burn.ts';
import { setAuthorityOf } from './set-authority.ts';
import { syncNativeBalance } from './sync-native-balance.ts';
import { tokenFailure, tokenRefusal } from './token-errors.ts';
import { isToken2022 } from './token-state.ts';
import { transfer } from './transfer.ts';

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
export const tokenProgram = plainProgram({
  handlers: handlersOf(TOKEN_UNITS),
  unitsToRefuse: TOKEN_UNITS.refusing,
  unreadable: (call) => tokenFailure(call, 'InvalidInstruction'),
  refusal: tokenRefusal,
});

export const token2022Program = plainProgram({
  handlers: [...handlersOf(TOKEN_2022_UNITS), withFee(TOKEN_2022_UNITS)],
  unitsToRefuse: TOKEN_2022_UNITS.refusing,
  begin: announce,
  unreadable: (call) => tokenFailure(call, 'InvalidInstruction'),
  refusal: tokenRefusal,
});

function handlersOf(units: Units): PlainHandler[] {
  return [...movements(units), ...rights(units), ...openings(units)];
}

function movements(units: Units): PlainHandler[] {
  return [
    handlesPlain(tokenTransfer, units.transfer, ({ accounts, args }, call) =>
      transfer(call, { ...accounts, ...args }),
    ),
    handlesPlain(transferChecked, units.checkedTransfer, ({ accounts, args }, call) =>
      transfer(call, { ...accounts, amount: args.amount, mint: named(accounts, args) }),
    ),
    handlesPlain(mintTo, units.minting, ({ accounts, args }, call) =>
      mintTokens(call, { ...accounts, authority: accounts.mintAuthority, ...args }),
    ),
    handlesPlain(mintToChecked, units.minting, ({ accounts, args }, call) =>
      mintTokens(call, { ...accounts, authority: accounts.mintAuthority, ...args }),
    ),
    handlesPlain(burn, units.burning, ({ accounts, args }, call) =>
      burnTokens(call, { ...accounts, ...args }),
    ),
    handlesPlain(burnChecked, units.burning, ({ accounts, args }, call) =>
      burnTokens(call, { ...accounts, ...args }),
    ),
    handlesPlain(syncNative, units.syncing, ({ accounts }, call) =>
      syncNativeBalance(call, accounts.account),
    ),
  ];
}

/** Of Token-2022 alone. */
function withFee(units: Units): PlainHandler {
  return handlesPlain(transferCheckedWithFee, units.checkedTransfer, ({ accounts, args }, call) =>
    transfer(call, {
      ...accounts,
      amount: args.amount,
      fee: args.fee,
      mint: named(accounts, args),
    }),
  );
}

function rights(units: Units): PlainHandler[] {
  return [
    handlesPlain(approve, units.authority, ({ accounts, args }, call) =>
      approveDelegate(call, { ...accounts, ...args }),
    ),
    handlesPlain(approveChecked, units.authority, ({ accounts, args }, call) =>
      approveDelegate(call, { ...accounts, amount: args.amount, mint: named(accounts, args) }),
    ),
    handlesPlain(revoke, units.authority, ({ accounts }, call) =>
      revokeDelegate(call, accounts.source, accounts.owner),
    ),
    handlesPlain(setAuthority, units.authority, ({ accounts, args, list }, call) =>
      setAuthorityOf(call, { ...accounts, ...args, next: list[0] }),
    ),
    handlesPlain(freezeAccount, units.authority, ({ accounts }, call) =>
      setFrozen(call, accounts, true),
    ),
    handlesPlain(thawAccount, units.authority, ({ accounts }, call) =>
      setFrozen(call, accounts, false),
    ),
  ];
}

function openings(units: Units): PlainHandler[] {
  return [
    handlesPlain(initializeMint2, units.opening, ({ accounts, args, list }, call) =>
      openMint(call, { ...accounts, ...args, freezeAuthority: list[0] }),
    ),
    handlesPlain(initializeAccount3, units.opening, ({ accounts, args }, call) =>
      openAccount(call, { ...accounts, ...args }),
    ),
    handlesPlain(initializeImmutableOwner, units.immutable, ({ accounts }, call) =>
      openImmutableOwner(call, accounts.account),
    ),
    handlesPlain(closeAccount, units.closing, ({ accounts }, call) =>
      closeTokenAccount(call, accounts),
    ),
    handlesPlain(getAccountDataSize, units.sizing, ({ accounts }, call) => {
      const mint = mintOf(call, accounts.mint);
      const size = isToken2022(call) ? sizeOfAccount(mint, typesIn(call)) : tokenAccount.size;
      call.answer(u64Seed(BigInt(size)));
    }),
  ];
}

const named = (
  { mint }: { readonly mint: Parameters<typeof mintOf>[1] },
  { decimals }: { readonly decimals: number },
) => ({ address: mint, decimals });

/** The numbers of extensions behind the first byte. */
function typesIn({ data }: Call): number[] {
  const source = new DataView(data.buffer, data.byteOffset, data.length);
  return Array.from({ length: Math.floor((data.length - 1) / 2) }, (_, i) =>
    source.getUint16(1 + i * 2, true),
  );
}
