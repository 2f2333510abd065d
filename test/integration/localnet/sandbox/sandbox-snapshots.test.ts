import {
  address,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  pipe,
  type Signature,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { startLocalnet } from '@tidegate/localnet';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { catchError } from '../../../support/errors/catch-error.ts';
import {
  kitTransfer,
  newWallet,
  unsignedTransfer,
} from '../../../support/localnet/kit-transfers.ts';
import { callControl, reservePrices } from '../../../support/localnet/sandbox-reads.ts';

const SOL = 1_000_000_000n;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const REJECTED = { code: 'TRANSACTION_REJECTED' };

const net = await startLocalnet({ seed: 'snapshots', clock: 'on-demand' });
const rpc = createSolanaRpc(net.rpcUrl);
const rich = net.wallet(0).address;
afterAll(() => net.stop());
beforeEach(() => {
  net.reset();
});

const balance = async (wallet: string): Promise<bigint> =>
  (await rpc.getBalance(address(wallet)).send()).value;

const transferOf = (to: string, lamports: bigint, from: string = rich): Promise<string> =>
  unsignedTransfer(net.rpcUrl, { from, to, lamports });

const transactionOf = (signature: string) =>
  rpc
    .getTransaction(signature as Signature, {
      maxSupportedTransactionVersion: 0,
      encoding: 'base64',
    })
    .send();

describe('transactions', () => {
  test('kit sends and confirms with the key of a wallet', async () => {
    const signer = await createKeyPairSignerFromBytes(net.wallet(3).secretKey);
    expect(signer.address).toBe(net.metadata.wallets[3]);
    const to = await newWallet();
    const { value } = await rpc.getLatestBlockhash().send();
    const instruction = kitTransfer({ from: signer.address, to, lamports: SOL / 100n });
    const signed = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (m) => setTransactionMessageFeePayerSigner(signer, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(value, m),
        (m) => appendTransactionMessageInstruction(instruction, m),
      ),
    );
    assertIsTransactionWithBlockhashLifetime(signed);
    const rpcSubscriptions = createSolanaRpcSubscriptions(net.wsUrl);
    const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
    await sendAndConfirm(signed, { commitment: 'finalized' });
    expect(await balance(to)).toBe(SOL / 100n);
  });

  test('an impersonated signer needs no signature, and each transaction has its own', async () => {
    const to = await newWallet();
    const first = await transferOf(to, SOL / 100n);
    await expect(net.send(first)).rejects.toMatchObject(REJECTED);
    net.impersonate(rich);
    const sent = await net.send(first);
    expect(sent.error).toBeUndefined();
    const second = await rpc
      .sendTransaction((await transferOf(to, SOL / 50n)) as never, { encoding: 'base64' })
      .send();
    expect(second).not.toBe(sent.signature);
    // it has landed when the call returns
    expect(await balance(to)).toBe(SOL / 100n + SOL / 50n);
    expect((await transactionOf(second))?.meta?.err).toBeNull();
    net.stopImpersonating(rich);
    await expect(net.send(await transferOf(to, 1n))).rejects.toMatchObject(REJECTED);
  });

  test('only the impersonated signer is exempt', async () => {
    net.impersonate(net.wallet(1).address);
    await expect(net.send(await transferOf(USDC, 1n))).rejects.toMatchObject(REJECTED);
  });

  test('a transaction that the program rejects has landed, with its error and logs', async () => {
    const poor = await newWallet();
    await net.airdrop(poor, SOL / 100n);
    net.impersonate(poor);
    const { error, logs, slot } = await net.send(await transferOf(rich, SOL, poor));
    expect(error).toContain('custom program error');
    expect(logs.length).toBeGreaterThan(1);
    expect(slot).toBe(net.now.slot);
  });
});

describe('snapshots', () => {
  test('a revert undoes accounts, transactions, time, prices and switches, as often as needed', async () => {
    const to = await newWallet();
    const id = net.snapshot();
    const before = net.now;
    const prices = await reservePrices(net.rpcUrl);
    for (let round = 0; round < 2; round++) {
      net.impersonate(rich);
      net.freeze();
      await net.setPrice('SOL', '1');
      const { signature } = await net.send(await transferOf(to, SOL / 100n));
      await net.warp({ seconds: 86_400n });
      expect(await balance(to)).toBe(SOL / 100n);
      expect(net.revert(id)).toEqual(before);
      expect(await balance(to)).toBe(0n);
      expect(await transactionOf(signature)).toBeNull();
      await expect(net.send(await transferOf(to, 1n))).rejects.toMatchObject(REJECTED);
      expect(await reservePrices(net.rpcUrl)).toEqual(prices);
    }
  });

  test('a transaction can be sent again after a revert, and has the same signature', async () => {
    net.impersonate(rich);
    const id = net.snapshot();
    const transaction = await transferOf(await newWallet(), SOL / 100n);
    const first = await net.send(transaction);
    await expect(net.send(transaction)).rejects.toMatchObject(REJECTED);
    net.revert(id);
    expect((await net.send(transaction)).signature).toBe(first.signature);
  });

  test('snapshots nest; a revert drops the later ones; unknown ones are rejected', async () => {
    const wallet = await newWallet();
    const outer = net.snapshot();
    await net.airdrop(wallet, SOL);
    const inner = net.snapshot();
    await net.airdrop(wallet, SOL);
    net.revert(inner);
    expect(await balance(wallet)).toBe(SOL);
    net.revert(outer);
    expect(await balance(wallet)).toBe(0n);
    expect(catchError(() => net.revert(inner))).toMatchObject({ code: 'NOT_FOUND' });
    net.reset();
    expect(catchError(() => net.revert(outer))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('isolated work is undone, also if it fails or returns to the start itself', async () => {
    const wallet = await newWallet();
    await net.airdrop(wallet, SOL);
    const before = net.now;
    const seen = await net.isolate(async () => {
      await net.airdrop(wallet, SOL);
      return balance(wallet);
    });
    expect(seen).toBe(2n * SOL);
    const failing = net.isolate(async () => {
      await net.warp({ slots: 9n });
      throw new RangeError('of the work');
    });
    await expect(failing).rejects.toThrow('of the work');
    expect(net.now).toEqual(before);
    expect(await balance(wallet)).toBe(SOL);
    await net.isolate(async () => {
      net.reset();
      await net.warp({ slots: 9n });
    });
    expect(await balance(wallet)).toBe(0n);
    expect(net.now.slot).toBeLessThan(before.slot);
  });

  test('other languages use the same over RPC', async () => {
    const control = (method: string, ...params: unknown[]) =>
      callControl(net.rpcUrl, `tidegate_${method}`, params);
    const wallet = await newWallet();
    const { result: id } = await control('snapshot');
    const before = { slot: Number(net.now.slot), unixTimestamp: Number(net.now.unixTimestamp) };
    await control('airdropToken', wallet, USDC, '5');
    expect((await control('impersonate', rich, true)).result).toBe(true);
    expect((await net.send(await transferOf(wallet, SOL / 100n))).error).toBeUndefined();
    expect((await control('setLiquidationBot', true)).result).toBe(true);
    expect(await net.tokenBalance(wallet, 'USDC')).toBe(5n);
    expect((await control('revert', id)).result).toEqual(before);
    expect(await net.tokenBalance(wallet, 'USDC')).toBe(0n);
    expect((await control('revert', '77')).error?.message).toContain('77');
    for (const method of ['freeze', 'resume', 'reset'])
      expect((await control(method)).result).toEqual(before);
    expect((await control('getForkedAccounts')).result).toBeNull();
  });
});
