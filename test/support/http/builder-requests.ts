import { expect } from 'vitest';
import {
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../golden/golden-addresses.ts';
import { namedAddress } from '../protocol/published-calls.ts';
import { jsonPoster } from './post-json.ts';
import { startApi, statusAndBody } from './test-api.ts';

/** Addresses in the golden cluster. The wallet has a loan and shares; the tokens have 6 decimals. */
const wallet = goldenUser('alice').address;
const market = goldenMarket('Main Market').address;
const reserve = goldenReserve('Main Market', 'USDC').address;
const kvault = goldenVault('Steady USDC').address;

export const unknownWallet = namedAddress('nobody');

/** Valid request bodies. */
export const lendingBody = { wallet, market, reserve, amount: '1' };
export const vaultBody = { wallet, kvault, amount: '1' };

export const lendingPaths = ['deposit', 'borrow', 'repay', 'withdraw'].map(
  (name) => `/ktx/klend/${name}`,
);
export const vaultPaths = ['deposit', 'withdraw'].map((name) => `/ktx/kvault/${name}`);
export const claimPaths = ['/ktx/farms/claim'];

type ErrorResponse = { readonly status: number; readonly body: unknown };

export const badRequest = (message: string, code?: string): ErrorResponse => ({
  status: 400,
  body: { statusCode: 400, message, error: 'Bad Request', ...(code && { code }) },
});

/** Starts a server. `expectError` expects the same error of both forms of each builder. */
export async function startBuilderApi() {
  const { url } = await startApi();
  const post = jsonPoster({ url });
  const expectError = async (paths: readonly string[], body: unknown, expected: ErrorResponse) => {
    for (const path of paths.flatMap((each) => [each, `${each}-instructions`])) {
      expect(statusAndBody(await post(path, body)), path).toEqual(expected);
    }
  };
  return { url, post, expectError };
}
