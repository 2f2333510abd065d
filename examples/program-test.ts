// A CI test of your program against the sandbox: it starts in the test, needs no network, and each test starts afresh.
//
//   npm install --save-dev @tidegate/localnet @tidegate/core @solana/kit tsx
//   node --import tsx --test examples/program-test.ts

import assert from 'node:assert/strict';
import * as kit from '@solana/kit';
import { klend } from '@tidegate/core/protocol';
import { localnetTest } from '@tidegate/localnet/node-test';

const SOL = 1_000_000_000n;
/** Your program: moves a wallet's SOL to a safe as soon as the lending market prices SOL below a limit. */
async function protect(rpcUrl: string, wallet: kit.KeyPairSigner, rule: Rule): Promise<boolean> {
  const rpc = kit.createSolanaRpc(rpcUrl);
  const { value: found } = await rpc.getAccountInfo(rule.reserve, { encoding: 'base64' }).send();
  const data = Uint8Array.from(Buffer.from(found?.data[0] ?? '', 'base64'));
  const { liquidity } = klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });
  if (Number(liquidity.marketPriceSf) / 2 ** 60 >= rule.minPrice) return false;

  const transfer = Buffer.alloc(12, 0);
  transfer.writeUInt32LE(2);
  transfer.writeBigUInt64LE((await rpc.getBalance(wallet.address).send()).value - SOL / 100n, 4);
  const instruction = {
    programAddress: kit.address('11111111111111111111111111111111'),
    accounts: [
      { address: wallet.address, role: kit.AccountRole.WRITABLE_SIGNER },
      { address: rule.safe, role: kit.AccountRole.WRITABLE },
    ],
    data: Uint8Array.from(transfer),
  };
  const { value: blockhash } = await rpc.getLatestBlockhash().send();
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (m) => kit.setTransactionMessageFeePayerSigner(wallet, m),
    (m) => kit.setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
    (m) => kit.appendTransactionMessageInstruction(instruction, m),
  );
  const signed = await kit.signTransactionMessageWithSigners(message);
  const wire = kit.getBase64EncodedWireTransaction(signed);
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  return true;
}

type Rule = { reserve: kit.Address; safe: kit.Address; minPrice: number };

const test = localnetTest({ seed: 'protect' });
const wallet = await kit.generateKeyPairSigner();
const { address: safe } = await kit.generateKeyPairSigner();

for (const price of ['79.99', '120']) {
  const isMoved = price === '79.99';
  test(`at a price of ${price} USD the SOL ${isMoved ? 'moves' : 'stays'}`, async ({ net }) => {
    const rule = { reserve: kit.address(net.metadata.demo.deposit.reserve), safe, minPrice: 80 };
    await net.airdrop(wallet.address, 5n * SOL);
    await net.setPrice('SOL', price);
    assert.equal(await protect(net.rpcUrl, wallet, rule), isMoved);
    assert.equal((await net.account(safe))?.lamports, isMoved ? 5n * SOL - SOL / 100n : undefined);
  });
}
