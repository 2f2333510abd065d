import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { associatedTokenSize } from '#core/protocol/spl/associated-token-size.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/create-associated-token-idempotent.ts';
import { mint as mintLayout } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '#core/protocol/spl/programs.ts';
import {
  findGoldenAccount,
  golden,
  UNKNOWN_ADDRESS,
} from '../../../support/golden/golden-accounts.ts';
import {
  alice,
  startTransactingLocalnet,
  type TransactingLocalnet,
} from '../../../support/localnet/transacting-localnet.ts';

const plain = findGoldenAccount(
  (account) => account.owner === TOKEN_PROGRAM && mintLayout.matches(account),
);
const extended = findGoldenAccount(
  (account) => account.owner === TOKEN_2022_PROGRAM && mintLayout.matches(account),
);

/** Lets slots pass until the answer is there. */
async function land(net: TransactingLocalnet, method: string, params: unknown): Promise<unknown> {
  let isDone = false;
  const done = net.result(method, params).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await setTimeout(1);
    net.advanceSlots(1);
  }
  return done;
}

const give = (net: TransactingLocalnet, mint: Address, amount: string) =>
  land(net, 'tidegate_airdropToken', [alice.address, mint, amount]);

function stateOf({ localnet }: TransactingLocalnet, mint: Address, tokenProgram: Address) {
  const holder = localnet.bank.account(associatedTokenAddress(alice.address, mint, tokenProgram));
  const issuer = localnet.bank.account(mint);
  if (holder === undefined || issuer === undefined) throw new Error('no such account');
  return {
    holder,
    held: tokenAccount.decode(holder),
    supply: mintLayout.decode(issuer).supply,
  };
}

test.each([
  ['the older program', plain],
  ['Token-2022', extended],
])('a token of %s comes into an account of its own, and grows it and the supply', async (_, of) => {
  const net = await startTransactingLocalnet();
  const { owner: tokenProgram } = of.account;
  const { supply } = mintLayout.decode(of.account);
  await give(net, of.address, '700');
  const made = stateOf(net, of.address, tokenProgram);
  expect(made.held).toMatchObject({ owner: alice.address, mint: of.address, amount: 700n });
  expect(made.supply).toBe(supply + 700n);
  expect(made.holder.lamports).toBe(BigInt(128 + made.holder.data.length) * 6960n);
  await give(net, of.address, '50');
  const grown = stateOf(net, of.address, tokenProgram);
  expect([grown.held.amount, grown.supply]).toEqual([750n, supply + 750n]);
  expect(grown.holder.data.length).toBe(made.holder.data.length);
});

test('the account is the one that the programs would have made', async () => {
  const net = await startTransactingLocalnet();
  const size = associatedTokenSize(mintLayout.decode(extended.account));
  const ata = associatedTokenAddress(alice.address, extended.address, TOKEN_2022_PROGRAM);
  const create = createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: {
      payer: alice.address,
      ata,
      owner: alice.address,
      mint: extended.address,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: TOKEN_2022_PROGRAM,
    },
    args: {},
  });
  await net.sendAndConfirm({ instructions: [create] });
  const created = net.localnet.bank.account(ata);
  const other = await startTransactingLocalnet();
  await give(other, extended.address, '7');
  const given = other.localnet.bank.account(ata);
  expect(given?.data.length).toBe(size);
  expect(given?.lamports).toBe(created?.lamports);
  // but for the amount, the eight bytes behind mint and owner
  expect(given?.data.with(64, 0)).toEqual(created?.data);
});

test('wrapped SOL comes with its lamports, and its mint says nothing of it', async () => {
  const net = await startTransactingLocalnet();
  await give(net, WRAPPED_SOL_MINT, '1000');
  await give(net, WRAPPED_SOL_MINT, '5');
  const { holder, held, supply } = stateOf(net, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  expect(held).toMatchObject({ amount: 1005n, isNativeTag: 1, isNative: 2_039_280n });
  expect(holder.lamports).toBe(2_039_280n + 1005n);
  expect(supply).toBe(0n);
});

test('what was undone did not happen: accounts, transactions, time', async () => {
  const net = await startTransactingLocalnet();
  net.advanceSlots(3);
  const hashes = await net.latestBlockhash();
  const signature = await net.sendAndConfirm({});
  net.advanceSlots(5);
  const start = Number(golden.at.slot);
  expect(await net.result('tidegate_rollBack', [6])).toEqual({
    slot: start + 3,
    unixTimestamp: Number(golden.at.unix) + 1,
  });
  expect(await net.result('getSlot', [{ commitment: 'processed' }])).toBe(start + 3);
  expect(await net.latestBlockhash()).toBe(hashes);
  const balance = await net.result('getBalance', [alice.address, { commitment: 'processed' }]);
  expect(balance).toMatchObject({ value: 10_000_000_000 });
  expect(await net.result('getSignatureStatuses', [[signature]])).toMatchObject({ value: [null] });
  net.advanceSlots(1);
  expect(net.localnet.bank.slot).toBe(golden.at.slot + 4n);
  // it can be sent again
  const again = await net.sendAndConfirm({ blockhash: hashes });
  expect(again).toBe(signature);
  expect(net.failures).toEqual([]);
});

test('how far it goes back is said to those who ask for more', async () => {
  const net = await startTransactingLocalnet();
  for (const slots of [0, 321]) {
    const { error } = await net.rpc('tidegate_rollBack', [slots]);
    expect(error?.message).toBe('Invalid params: expected 1 to 320 slots.');
  }
});

test.each([
  ['tidegate_airdropToken', [alice.address, UNKNOWN_ADDRESS, '1']],
  ['tidegate_airdropToken', [alice.address, plain.address]],
  ['tidegate_airdropToken', [alice.address, plain.address, 1]],
  ['tidegate_airdropToken', [alice.address, plain.address, '0']],
  ['tidegate_airdropToken', [alice.address, plain.address, '1.5']],
  ['tidegate_airdropToken', [alice.address, plain.address, '-1']],
  ['tidegate_airdropToken', [alice.address, plain.address, '18446744073709551615']],
  ['tidegate_airdropToken', ['x', plain.address, '1']],
  ['tidegate_rollBack', []],
  ['tidegate_rollBack', [0]],
  ['tidegate_rollBack', ['1']],
  ['tidegate_rollBack', [4]],
])('%s with %j is refused and changes nothing', async (method, params) => {
  const net = await startTransactingLocalnet();
  net.advanceSlots(3);
  const { slot } = net.localnet.bank;
  expect((await net.rpc(method, params)).error?.code).toBe(-32602);
  net.advanceSlots(1);
  expect(net.localnet.bank.slot).toBe(slot + 1n);
  const { bank } = net.localnet;
  expect(bank.account(plain.address)).toEqual(plain.account);
  expect(net.failures).toEqual([]);
});
