import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import {
  associatedTokenAddress,
  associatedTokenSize,
} from '#core/protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/associated-token.ts';
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
import { waitUntil } from '../../../support/waiting/wait-until.ts';

const plain = findGoldenAccount(
  (account) => account.owner === TOKEN_PROGRAM && mintLayout.matches(account),
);
const extended = findGoldenAccount(
  (account) => account.owner === TOKEN_2022_PROGRAM && mintLayout.matches(account),
);

/** Closes slots until the response arrives. */
async function land(net: TransactingLocalnet, method: string, params: unknown): Promise<unknown> {
  let isDone = false;
  const done = net.result(method, params).finally(() => {
    isDone = true;
  });
  const isLanded = () => {
    if (!isDone) net.advanceSlots(1);
    return isDone;
  };
  await waitUntil(isLanded, `${method} is in a slot`, 1);
  return done;
}

const airdrop = (net: TransactingLocalnet, mint: Address, amount: string) =>
  land(net, 'tidegate_airdropToken', [alice.address, mint, amount]);

function stateOf({ localnet }: TransactingLocalnet, mint: Address, tokenProgram: Address) {
  const holder = localnet.bank.account(associatedTokenAddress(alice.address, mint, tokenProgram));
  const mintAccount = localnet.bank.account(mint);
  if (holder === undefined || mintAccount === undefined) throw new Error('no such account');
  return {
    holder,
    fields: tokenAccount.decode(holder),
    supply: mintLayout.decode(mintAccount).supply,
  };
}

test.each([
  ['the original program', plain],
  ['Token-2022', extended],
])(
  'a token of %s is airdropped into a new account, then added to it and to the supply',
  async (_, of) => {
    const net = await startTransactingLocalnet();
    const { owner: tokenProgram } = of.account;
    const { supply } = mintLayout.decode(of.account);
    await airdrop(net, of.address, '700');
    const created = stateOf(net, of.address, tokenProgram);
    expect(created.fields).toMatchObject({ owner: alice.address, mint: of.address, amount: 700n });
    expect(created.supply).toBe(supply + 700n);
    expect(created.holder.lamports).toBe(BigInt(128 + created.holder.data.length) * 6960n);
    await airdrop(net, of.address, '50');
    const grown = stateOf(net, of.address, tokenProgram);
    expect([grown.fields.amount, grown.supply]).toEqual([750n, supply + 750n]);
    expect(grown.holder.data.length).toBe(created.holder.data.length);
  },
);

test('the account equals one created by the programs', async () => {
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
  await airdrop(other, extended.address, '7');
  const airdropped = other.localnet.bank.account(ata);
  expect(airdropped?.data.length).toBe(size);
  expect(airdropped?.lamports).toBe(created?.lamports);
  // Except for the amount: eight bytes after mint and owner.
  expect(airdropped?.data.with(64, 0)).toEqual(created?.data);
});

test('wrapped SOL is airdropped with its lamports, without a supply', async () => {
  const net = await startTransactingLocalnet();
  await airdrop(net, WRAPPED_SOL_MINT, '1000');
  await airdrop(net, WRAPPED_SOL_MINT, '5');
  const { holder, fields: balance, supply } = stateOf(net, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  expect(balance).toMatchObject({ amount: 1005n, isNativeTag: 1, isNative: 2_039_280n });
  expect(holder.lamports).toBe(2_039_280n + 1005n);
  expect(supply).toBe(0n);
});

test('a rollback undoes accounts, transactions and time', async () => {
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
  // It can be sent again.
  const again = await net.sendAndConfirm({ blockhash: hashes });
  expect(again).toBe(signature);
  expect(net.failures).toEqual([]);
});

test('a rollback beyond the limit reports the limit', async () => {
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
])('%s with %j is rejected and changes nothing', async (method, params) => {
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
