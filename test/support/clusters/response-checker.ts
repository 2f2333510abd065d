import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { JsonResponse, RunningApi } from '../http/test-api.ts';
import type { GoldenLocalnet } from '../localnet/golden-localnet.ts';
import { type BankResponses, createBankResponses } from './bank-responses.ts';

/** One of each kind that is read from the chain: oracle, market, loans of a wallet, loan, vault, wallet. */
const WATCHED = [
  '/oracles/prices',
  '/svc-market/9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES/reserves/metrics',
  '/svc-market/9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES/users/DXY4ekUz6fkL1Sv4vUyP1MExBf8gTnnPhV9J1nE6CDoB/obligations',
  '/klend/loans/48C1Q3qbd1ieesAwQXFaC7aYfUzeDFtVGPbuW7uGxkSe',
  '/kvaults/vaults/F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri',
  '/portfolio/G59pHVpa5otcXCx4ZCvvp7hnDTkA6ap296S39F7nceKj',
];

const PAUSE_MS = 400;

type Watch = {
  readonly bankAnswer: BankResponses;
  /** What was not answered. Fails for an answer that was not what the bank has for the slot that it names. */
  stop(): Promise<readonly string[]>;
};

/** Asks for everything on and on, and holds each answer against the bank's accounts. */
export async function checkResponses(api: RunningApi, golden: GoldenLocalnet): Promise<Watch> {
  const bankAnswer = await createBankResponses(golden.localnet.bank);
  const refused: string[] = [];
  let isOver = false;

  const look = async (path: string, notBefore: bigint): Promise<bigint> => {
    const answer = await api.get(path);
    const slot = responseSlot(answer);
    expect(slot, `${path} goes back`).toBeGreaterThanOrEqual(notBefore);
    const { status, body } = answer;
    if (status !== 200) refused.push(`${path} ${status} ${JSON.stringify(body)}`);
    else expect(body, `${path} at ${slot}`).toEqual(await bankAnswer(path, slot));
    return slot;
  };
  const lookOn = async (path: string) => {
    let slot = await look(path, 0n);
    while (!isOver) {
      await sleep(PAUSE_MS);
      slot = await look(path, slot);
    }
  };
  const over = Promise.all(WATCHED.map(lookOn));
  // whoever stops it is told
  over.catch(() => undefined);
  const stop = async () => {
    isOver = true;
    await over;
    return refused;
  };
  onTestFinished(() => stop().then(undefined, () => undefined));
  return { bankAnswer, stop };
}

export const responseSlot = ({ headers }: JsonResponse): bigint =>
  BigInt(headers.get('x-slot') ?? -1);

export const responseAge = ({ headers }: JsonResponse): number => Number(headers.get('x-data-age'));
