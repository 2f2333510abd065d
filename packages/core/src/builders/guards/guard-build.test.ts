import { test } from 'vitest';
import {
  expectGuardAccepts,
  expectGuardRejection,
  flowFinder,
} from '../../../../../test/support/flows/guard-flows.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { type Address, toAddress } from '../../base/encoding/address.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import {
  type AccountMeta,
  type Instruction,
  READ,
  SIGN,
  SIGN_WRITE,
  WRITE,
} from '../../base/solana/instruction.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/associated-token.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-program.ts';
import { closeAccount, syncNative } from '../../protocol/spl/instructions/token-account.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../protocol/spl/programs.ts';

const flowOf = flowFinder();
/** A deposit of a token other than SOL and USDC. */
const deposit = flowOf('09');
const { wallet } = deposit;
const OTHER_WALLET = numberedAddress(1);
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const MEMO_PROGRAM = toAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

const walletAccount = (mint: Address) => associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
const otherAccount = (mint: Address) => associatedTokenAddress(OTHER_WALLET, mint, TOKEN_PROGRAM);

const raw = (
  programAddress: Address,
  data: readonly number[],
  accounts: readonly (readonly [Address, AccountMeta['role']])[],
): Instruction => ({
  programAddress,
  accounts: accounts.map(([address, role]) => ({ address, role })),
  data: Uint8Array.from(data),
});

const one = [1, 0, 0, 0, 0, 0, 0, 0];

const sendSol = (to: Address): Instruction =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to },
    args: { lamports: toLamports(1n) },
  });

const create = (owner: Address, mint: Address): Instruction =>
  createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      payer: wallet,
      ata: associatedTokenAddress(owner, mint, TOKEN_PROGRAM),
      owner,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: {},
  });

const close = (account: Address, destination: Address): Instruction =>
  closeAccount.build(TOKEN_PROGRAM, {
    accounts: { account, destination, owner: wallet },
    args: {},
  });

const sync = syncNative.build(TOKEN_PROGRAM, {
  accounts: { account: walletAccount(WRAPPED_SOL_MINT) },
  args: {},
});

test.each<[string, Instruction, string]>([
  [
    'a transfer of tokens',
    raw(
      TOKEN_PROGRAM,
      [3, ...one],
      [
        [walletAccount(USDC), WRITE],
        [otherAccount(USDC), WRITE],
        [wallet, SIGN],
      ],
    ),
    'the instruction transfer of Token',
  ],
  [
    'a Token-2022 transfer',
    raw(
      TOKEN_2022_PROGRAM,
      [12, ...one, 6],
      [
        [walletAccount(USDC), WRITE],
        [USDC, READ],
        [OTHER_WALLET, WRITE],
        [wallet, SIGN],
      ],
    ),
    'the instruction transferChecked of Token',
  ],
  [
    'a transfer from the wallet to itself',
    raw(
      TOKEN_PROGRAM,
      [3, ...one],
      [
        [walletAccount(USDC), WRITE],
        [walletAccount(USDC), WRITE],
        [wallet, SIGN],
      ],
    ),
    'the instruction transfer of Token',
  ],
  [
    'an approval',
    raw(
      TOKEN_PROGRAM,
      [4, ...one],
      [
        [walletAccount(USDC), WRITE],
        [OTHER_WALLET, READ],
        [wallet, SIGN],
      ],
    ),
    'the instruction approve of Token',
  ],
  [
    'a change of authority',
    raw(
      TOKEN_PROGRAM,
      [6, 2, 0],
      [
        [walletAccount(USDC), WRITE],
        [wallet, SIGN],
      ],
    ),
    'the instruction setAuthority of Token',
  ],
  [
    'a burn',
    raw(
      TOKEN_PROGRAM,
      [8, ...one],
      [
        [walletAccount(USDC), WRITE],
        [USDC, WRITE],
        [wallet, SIGN],
      ],
    ),
    'the instruction burn of Token',
  ],
  ['a SOL transfer to another wallet', sendSol(OTHER_WALLET), 'to of transfer is'],
  [
    'a SOL transfer to the wrapped SOL account of another wallet',
    sendSol(otherAccount(WRAPPED_SOL_MINT)),
    'to of transfer is',
  ],
  [
    'a SOL transfer to an unused wrapped SOL account of the wallet',
    sendSol(walletAccount(WRAPPED_SOL_MINT)),
    'to of transfer is',
  ],
  ['a sync of unused wrapped SOL', sync, 'account of syncNative is'],
  [
    'a created account',
    raw(
      SYSTEM_PROGRAM,
      [0, 0, 0, 0, ...new Uint8Array(48)],
      [
        [wallet, SIGN_WRITE],
        [OTHER_WALLET, SIGN_WRITE],
      ],
    ),
    'the instruction createAccount of 1111',
  ],
  [
    'an assignment of the wallet to a program',
    raw(SYSTEM_PROGRAM, [1, 0, 0, 0, ...new Uint8Array(32)], [[wallet, SIGN_WRITE]]),
    'the instruction assign of 1111',
  ],
  ['a token account of another wallet', create(OTHER_WALLET, USDC), 'ata of createIdempotent is'],
  ['an unused token account', create(wallet, USDC), 'ata of createIdempotent is'],
  [
    'a non-idempotent token account creation',
    { ...create(wallet, USDC), data: Uint8Array.of(0) },
    'the instruction create of AToken',
  ],
  [
    'the closing of an unused token account',
    close(walletAccount(USDC), wallet),
    'account of closeAccount is',
  ],
  [
    'the closing of an unused wrapped SOL account',
    close(walletAccount(WRAPPED_SOL_MINT), wallet),
    'account of closeAccount is',
  ],
  [
    'a memo',
    raw(MEMO_PROGRAM, [104, 105], [[wallet, SIGN]]),
    'the instruction unknown of MemoSq4g',
  ],
  [
    'an extension of a lookup table',
    raw(
      ADDRESS_LOOKUP_TABLE_PROGRAM,
      [2, 0, 0, 0, ...new Uint8Array(8)],
      [
        [OTHER_WALLET, WRITE],
        [wallet, SIGN],
      ],
    ),
    'the instruction extendLookupTable of',
  ],
  [
    'a change of the elevation group',
    raw(
      KLEND_PROGRAM,
      [0x24, 0x77, 0xfb, 0x81, 0x22, 0xf0, 0x07, 0x93, 1],
      [
        [wallet, SIGN],
        [OTHER_WALLET, WRITE],
        [OTHER_WALLET, READ],
      ],
    ),
    'the instruction requestElevationGroup of KLend',
  ],
  [
    'an unknown instruction of the lending program',
    raw(KLEND_PROGRAM, one, []),
    'the instruction unknown of KLend',
  ],
  ['an instruction without data', raw(KLEND_PROGRAM, [], []), 'the instruction unknown of KLend'],
])('a deposit with %s is rejected', (_, instruction, reason) => {
  expectGuardAccepts(deposit);
  for (const instructions of [
    [...deposit.instructions, instruction],
    [instruction, ...deposit.instructions],
  ]) {
    expectGuardRejection({ ...deposit, instructions }, reason);
  }
});
