import { expect, test } from 'vitest';
import {
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import { requestDecodedTransaction } from '../../support/http/decode-requests.ts';
import { goldenApi, readJson } from '../../support/http/test-api.ts';

/** Wallets of the golden cluster: one with deposits and debts, one with vault shares. */
const dave = goldenUser('dave').address;
const frank = goldenUser('frank').address;
const market = goldenMarket('Main Market').address;
const reserve = goldenReserve('Main Market', 'USDC').address;
const kvault = goldenVault('Steady USDC').address;

const loan = 'the wallet’s loan in “Main Market”';
const vault = 'the earn vault “Steady USDC”';

const lending = { wallet: dave, market, reserve, amount: '12.5' };

const builds: readonly [path: string, body: unknown, title: string][] = [
  ['klend/deposit', lending, `Deposit 12.5 USDC into ${loan} as collateral`],
  ['klend/borrow', lending, `Borrow 12.5 USDC against ${loan}`],
  ['klend/repay', lending, `Repay 12.5 USDC of the debt of ${loan}`],
  [
    'klend/withdraw',
    { ...lending, amount: 'U64::MAX' },
    `Withdraw all withdrawable USDC from ${loan}`,
  ],
  [
    'kvault/deposit',
    { wallet: dave, kvault, amount: '12.5' },
    `Deposit at most 12.5 USDC into ${vault} for shares`,
  ],
  [
    'kvault/withdraw',
    { wallet: frank, kvault, amount: '1.5' },
    `Redeem 1.5 shares of “Steady USDC” for USDC from the idle funds of ${vault}`,
  ],
];

test('decodeTransaction: built transactions decode to their requests, without warnings', async () => {
  const { url } = await goldenApi();
  for (const [path, body, title] of builds) {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const built = await readJson(await fetch(`${url}/ktx/${path}`, init));
    expect(built.status, path).toBe(200);
    const { transaction } = built.body as { transaction: string };
    const { instructions, signers, warnings } = await requestDecodedTransaction(url, transaction);
    expect(instructions.map((instruction) => instruction.title)).toContain(title);
    expect(signers.map(({ signed }) => signed)).toEqual([false]);
    expect(warnings).toEqual([]);
  }
});
