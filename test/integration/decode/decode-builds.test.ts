import { expect, test } from 'vitest';
import { requestDecodedTransaction } from '../../support/http/decode-requests.ts';
import { readJson, startApi } from '../../support/http/test-api.ts';

/** Wallets of the golden cluster: one with deposits and debts, one with vault shares. */
const dave = '4rLx4JujoQBHCmSiSzE1z6QSZgnVz7FzGpbTrxPtNfrh';
const frank = 'G59pHVpa5otcXCx4ZCvvp7hnDTkA6ap296S39F7nceKj';
const market = '9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES';
const reserve = 'EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9';
const kvault = 'F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri';

const loan = 'the wallet’s loan in “Main Market”';
const vault = 'the earn vault “Steady USDC”';

const lending = { wallet: dave, market, reserve, amount: '12.5' };

const builds: readonly [path: string, body: unknown, title: string][] = [
  ['klend/deposit', lending, `Deposit 12.5 USDC into ${loan} as collateral`],
  ['klend/borrow', lending, `Borrow 12.5 USDC, owed by ${loan}`],
  ['klend/repay', lending, `Repay 12.5 USDC that ${loan} owes`],
  [
    'klend/withdraw',
    { ...lending, amount: 'U64::MAX' },
    `Withdraw all USDC that can be taken out of ${loan}`,
  ],
  [
    'kvault/deposit',
    { wallet: dave, kvault, amount: '12.5' },
    `Deposit at most 12.5 USDC into ${vault} for shares`,
  ],
  [
    'kvault/withdraw',
    { wallet: frank, kvault, amount: '1.5' },
    `Give back 1.5 shares of “Steady USDC” for USDC, as far as ${vault} holds it`,
  ],
];

test('decodeTransaction: what the builders build is told as it was asked for, without a warning', async () => {
  const { url } = await startApi();
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
}, 30_000);
