import { address, createSolanaRpc, createSolanaRpcSubscriptions } from '@solana/kit';
import { expect, test } from 'vitest';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  golden,
  goldenObligation,
  goldenTokenAccount,
  UNKNOWN_ADDRESS,
} from '../../../support/golden/golden-accounts.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';

test("kit's RPC client reads the cluster", async () => {
  const { rpcUrl, advanceSlots } = await startGoldenLocalnet();
  advanceSlots(40);
  const rpc = createSolanaRpc(rpcUrl);
  const slot = golden.at.slot + 40n;
  expect(await rpc.getSlot({ commitment: 'processed' }).send()).toBe(slot);
  const key = address(goldenObligation.address);
  const { context, value } = await rpc.getAccountInfo(key, { encoding: 'base64' }).send();
  // Kit defaults to confirmed.
  expect(context.slot).toBe(slot - 1n);
  expect(value?.lamports).toBe(goldenObligation.account.lamports);
  expect(value?.data[0]).toBe(Buffer.from(goldenObligation.account.data).toString('base64'));
  const keys = [key, address(UNKNOWN_ADDRESS)];
  const several = await rpc.getMultipleAccounts(keys, { encoding: 'base64+zstd' }).send();
  expect(several.value.map((account) => account?.space)).toEqual([3_344n, undefined]);
  const scan = await rpc
    .getProgramAccounts(address(KLEND_PROGRAM), {
      encoding: 'base64',
      filters: [{ dataSize: BigInt(obligation.size) }],
    })
    .send();
  expect(scan).toHaveLength(15);
  const balance = await rpc.getTokenAccountBalance(address(goldenTokenAccount.address)).send();
  expect(BigInt(balance.value.amount)).toBe(
    Buffer.from(goldenTokenAccount.account.data).readBigUInt64LE(64),
  );
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const valid = await rpc.isBlockhashValid(latest.blockhash).send();
  expect(valid.value).toBe(true);
  expect(await rpc.getBlockTime(slot - 1n).send()).toBe(golden.at.unix + 15n);
  expect((await rpc.getEpochInfo().send()).absoluteSlot).toBe(slot - 1n);
  expect(await rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n);
  expect(await rpc.getHealth().send()).toBe('ok');
});

test("kit's RPC client maps errors to its own", async () => {
  const { rpcUrl } = await startGoldenLocalnet();
  const rpc = createSolanaRpc(rpcUrl);
  const ahead = { minContextSlot: golden.at.slot + 5n };
  await expect(rpc.getSlot(ahead).send()).rejects.toMatchObject({
    context: { __code: -32016, contextSlot: golden.at.slot - 1n },
  });
});

test("kit's subscriptions receive slots, roots, accounts and programs", async () => {
  const { wsUrl, localnet, advanceSlots } = await startGoldenLocalnet();
  const subscriptions = createSolanaRpcSubscriptions(wsUrl);
  const aborted = new AbortController();
  const options = { abortSignal: aborted.signal };
  const config = { commitment: 'processed', encoding: 'base64' } as const;
  const [slots, roots, accounts, programs] = await Promise.all([
    subscriptions.slotNotifications().subscribe(options),
    subscriptions.rootNotifications().subscribe(options),
    subscriptions
      .accountNotifications(address(goldenObligation.address), config)
      .subscribe(options),
    subscriptions
      .programNotifications(address(KLEND_PROGRAM), {
        ...config,
        filters: [{ dataSize: BigInt(obligation.size) }],
      })
      .subscribe(options),
  ]);
  const received = Promise.all([first(slots), first(roots), first(accounts), first(programs)]);
  const data = goldenObligation.account.data.with(100, 7);
  const landed = localnet.setAccount(goldenObligation.address, {
    ...goldenObligation.account,
    data,
  });
  advanceSlots(1);
  const slot = await landed;
  const text = Buffer.from(data).toString('base64');
  expect(await received).toMatchObject([
    { slot, parent: slot - 1n, root: slot - 32n },
    slot - 32n,
    { context: { slot }, value: { data: [text, 'base64'] } },
    {
      context: { slot },
      value: { pubkey: goldenObligation.address, account: { data: [text, 'base64'] } },
    },
  ]);
  aborted.abort();
});

async function first<Item>(items: AsyncIterable<Item>): Promise<Item> {
  for await (const item of items) return item;
  throw new Error('it ended');
}
