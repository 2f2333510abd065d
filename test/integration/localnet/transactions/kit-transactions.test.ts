import {
  type Address,
  address,
  airdropFactory,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  lamports,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit';
import { expect, onTestFinished, test } from 'vitest';
import { bob, startTransactingLocalnet } from '../../../support/localnet/transacting-localnet.ts';

const SYSTEM = address('11111111111111111111111111111111');
const BOB = address(bob.address);

/** Closes slots while the test waits. */
async function startMoving() {
  const net = await startTransactingLocalnet();
  const timer = setInterval(() => net.advanceSlots(1), 20);
  onTestFinished(() => clearInterval(timer));
  const rpc = createSolanaRpc(net.rpcUrl);
  const rpcSubscriptions = createSolanaRpcSubscriptions(net.wsUrl);
  const aliceKey = Buffer.from('alice'.padEnd(32, '.'));
  const alice = await createKeyPairSignerFromPrivateKeyBytes(aliceKey);
  return { ...net, rpc, rpcSubscriptions, alice };
}

/** A transfer as kit's system program client builds it. */
async function transfer(rpc: Rpc<SolanaRpcApi>, from: TransactionSigner, to: Address) {
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const data = Buffer.from('020000004042 0f0000000000'.replace(' ', ''), 'hex');
  const instruction = {
    programAddress: SYSTEM,
    accounts: [
      { address: from.address, role: 3, signer: from },
      { address: to, role: 1 },
    ],
    data: Uint8Array.from(data),
  } as const;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (transaction) => setTransactionMessageFeePayerSigner(from, transaction),
    (transaction) => setTransactionMessageLifetimeUsingBlockhash(latest, transaction),
    (transaction) => appendTransactionMessageInstruction(instruction, transaction),
  );
  return signTransactionMessageWithSigners(message);
}

test("kit's send and confirm transfers SOL, and its RPC reads the result", async () => {
  const { rpc, rpcSubscriptions, alice } = await startMoving();
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  const signed = await transfer(rpc, alice, BOB);
  const signature = getSignatureFromTransaction(signed);
  await sendAndConfirm(signed as Parameters<typeof sendAndConfirm>[0], { commitment: 'confirmed' });
  expect((await rpc.getBalance(BOB).send()).value).toBe(1_000_000n);
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'jsonParsed',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  expect(found?.meta).toMatchObject({ err: null, fee: 5000n });
  const [listed] = await rpc.getSignaturesForAddress(BOB).send();
  expect(listed).toMatchObject({ signature, err: null, confirmationStatus: 'confirmed' });
  const statuses = await rpc.getSignatureStatuses([signature]).send();
  expect(statuses.value[0]?.slot).toBe(found?.slot);
  const slot = found?.slot ?? 0n;
  const block = await rpc
    .getBlock(slot, {
      commitment: 'confirmed',
      transactionDetails: 'signatures',
      rewards: false,
      maxSupportedTransactionVersion: 0,
    })
    .send();
  expect(block?.signatures).toEqual([signature]);
  expect(await rpc.getBlocks(slot, slot).send()).toEqual([slot]);
});

test("kit's send and confirm waits for finality and reports a failure", async () => {
  const { rpc, rpcSubscriptions, alice } = await startMoving();
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  const signed = await transfer(rpc, alice, BOB);
  await sendAndConfirm(signed as Parameters<typeof sendAndConfirm>[0], { commitment: 'finalized' });
  const balance = await rpc.getBalance(BOB, { commitment: 'finalized' }).send();
  expect(balance.value).toBe(1_000_000n);
  const poor = await createKeyPairSignerFromPrivateKeyBytes(Buffer.from('poor'.padEnd(32, '.')));
  const unpaid = await transfer(rpc, poor, BOB);
  const sent = sendAndConfirm(unpaid as Parameters<typeof sendAndConfirm>[0], {
    commitment: 'confirmed',
  });
  await expect(sent).rejects.toMatchObject({ context: { __code: -32002 } });
});

test("kit's simulation, logs and airdrop work", async () => {
  const { rpc, rpcSubscriptions, alice } = await startMoving();
  const aborted = new AbortController();
  const logs = await rpcSubscriptions
    .logsNotifications({ mentions: [BOB] }, { commitment: 'confirmed' })
    .subscribe({ abortSignal: aborted.signal });
  const received = first(logs);
  const wire = getBase64EncodedWireTransaction(await transfer(rpc, alice, BOB));
  const simulated = await rpc.simulateTransaction(wire, { encoding: 'base64' }).send();
  expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 150n });
  const airdrop = airdropFactory({ rpc, rpcSubscriptions });
  const signature = await airdrop({
    commitment: 'confirmed',
    lamports: lamports(2_000_000n),
    recipientAddress: BOB,
  });
  expect((await rpc.getBalance(BOB).send()).value).toBe(2_000_000n);
  expect(await received).toMatchObject({ value: { signature, err: null } });
  aborted.abort();
});

async function first<Item>(items: AsyncIterable<Item>): Promise<Item> {
  for await (const item of items) return item;
  throw new Error('it ended');
}
