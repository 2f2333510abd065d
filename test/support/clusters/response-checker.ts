import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { goldenLoan, goldenMarket, goldenUser, goldenVault } from '../golden/golden-addresses.ts';
import type { JsonResponse, RunningApi } from '../http/test-api.ts';
import type { GoldenLocalnet } from '../localnet/golden-localnet.ts';
import { type BankResponses, createBankResponses } from './bank-responses.ts';

/** One path per data source: oracle, market, loans of a wallet, loan, vault, wallet. */
const CHECKED_PATHS = [
  '/oracles/prices',
  `/svc-market/${goldenMarket('Main Market').address}/reserves/metrics`,
  `/svc-market/${goldenMarket('Main Market').address}/users/DXY4ekUz6fkL1Sv4vUyP1MExBf8gTnnPhV9J1nE6CDoB/obligations`,
  `/klend/loans/${goldenLoan('frank')}`,
  `/kvaults/vaults/${goldenVault('Steady USDC').address}`,
  `/portfolio/${goldenUser('frank').address}`,
];

const PAUSE_MS = 400;

type ResponseChecker = {
  readonly bankResponse: BankResponses;
  /** Stops and returns failed requests. Fails if a response did not match the bank at its slot. */
  stop(): Promise<readonly string[]>;
};

/** Requests all paths continuously and compares each response with the bank. */
export async function checkResponses(
  api: RunningApi,
  golden: GoldenLocalnet,
): Promise<ResponseChecker> {
  const bankResponse = await createBankResponses(golden.localnet.bank);
  const failed: string[] = [];
  let isStopped = false;

  const checkOnce = async (path: string, notBefore: bigint): Promise<bigint> => {
    const response = await api.get(path);
    const slot = responseSlot(response);
    expect(slot, `${path} goes back`).toBeGreaterThanOrEqual(notBefore);
    const { status, body } = response;
    if (status !== 200) failed.push(`${path} ${status} ${JSON.stringify(body)}`);
    else {
      const expected = await bankResponse(path, slot);
      expect(withoutTokens(body), `${path} at ${slot}`).toEqual(withoutTokens(expected));
    }
    return slot;
  };
  const checkContinuously = async (path: string) => {
    let slot = await checkOnce(path, 0n);
    while (!isStopped) {
      await sleep(PAUSE_MS);
      slot = await checkOnce(path, slot);
    }
  };
  const done = Promise.all(CHECKED_PATHS.map(checkContinuously));
  // The error is reported by `stop`.
  done.catch(() => undefined);
  const stop = async () => {
    isStopped = true;
    await done;
    return failed;
  };
  onTestFinished(() => stop().then(undefined, () => undefined));
  return { bankResponse, stop };
}

export const responseSlot = ({ headers }: JsonResponse): bigint =>
  BigInt(headers.get('x-slot') ?? -1);

export const responseAge = ({ headers }: JsonResponse): number => Number(headers.get('x-data-age'));

/** The cTokens of a portfolio are read from the node with the request, not from state. */
function withoutTokens(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('ctokens' in body)) return body;
  const { ctokens, sections, ...rest } = body as Record<string, unknown>;
  const { ctokens: section, ...others } = sections as Record<string, unknown>;
  return { ...rest, sections: others };
}
