import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import type { PreviewJson } from '../../support/http/preview-json.ts';

const CASES = 100;
const SLOT_MS = 400;
const MINUTE_MS = 60_000;

/** A tag of plain loans. */
const PLAIN = 0n;

type Action = 'borrow' | 'withdraw';
type Case = {
  readonly action: Action;
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
};
type Suggestion = Case & { readonly max: string; readonly suggested: string };

test('100 suggested amounts are accepted a minute later, when the largest ones are not', async () => {
  const { api, genesis, advanceTime } = await startGenesisApi('tidegate');
  const post = jsonPoster(api);
  const previewOf = async ({ action, ...target }: Case, amount: string): Promise<PreviewJson> => {
    const { status, body } = await post(`/ktx/klend/${action}?preview=true`, { ...target, amount });
    expect(status, JSON.stringify(body)).toBe(200);
    return (body as { preview: PreviewJson }).preview;
  };

  const reservesOf = (market: Address): Address[] =>
    [...genesis.reserves].flatMap(([address, { lendingMarket }]) =>
      lendingMarket === market ? [address] : [],
    );
  const cases = [...genesis.obligations.values()].flatMap((loan): Case[] => {
    const { tag, owner: wallet, lendingMarket: market, deposits, borrows } = loan;
    if (tag !== PLAIN || borrows.every(({ borrowedAmountSf }) => borrowedAmountSf === 0n))
      return [];
    const deposited = deposits.filter(({ depositedAmount }) => depositedAmount > 0n);
    const inDeposits = new Set(deposited.map(({ depositReserve }) => depositReserve));
    return [
      ...deposited.map(({ depositReserve: reserve }) => {
        return { action: 'withdraw' as const, wallet, market, reserve };
      }),
      ...reservesOf(market)
        .filter((reserve) => !inDeposits.has(reserve))
        .map((reserve) => ({ action: 'borrow' as const, wallet, market, reserve })),
    ];
  });

  const suggest = async (): Promise<Suggestion[]> => {
    const found: Suggestion[] = [];
    for (const each of cases) {
      const { error } = await previewOf(each, '100000000');
      const { maxAmount: max, suggestedAmount: suggested } = error ?? {};
      if (max == null || suggested == null || Number(suggested) === 0) continue;
      found.push({ ...each, max, suggested });
    }
    return found;
  };

  const failures: unknown[] = [];
  let used = 0;
  let tooLarge = 0;
  while (used < CASES) {
    const suggestions = await suggest();
    expect(suggestions).not.toHaveLength(0);
    for (let ms = 0; ms < MINUTE_MS; ms += SLOT_MS) advanceTime(SLOT_MS);
    for (const each of suggestions) {
      const { success, simulated, error } = await previewOf(each, each.suggested);
      if (!success || !simulated) failures.push({ ...each, error });
      if (!(await previewOf(each, each.max)).success) tooLarge += 1;
      used += 1;
    }
  }
  expect(failures).toEqual([]);
  // otherwise the prices did not move
  expect(tooLarge).toBeGreaterThan(CASES / 10);
});
