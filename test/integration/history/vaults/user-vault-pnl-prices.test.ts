import { expect, test } from 'vitest';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import { vaultEventKinds } from '#server/history/event-kinds.ts';
import { goldenCluster } from '../../../support/golden/golden.ts';
import { goldenVault } from '../../../support/golden/golden-addresses.ts';
import { uniqueAddress, vaultEvent } from '../../../support/history/history-rows.ts';
import { startVaultHistoryApi } from '../../../support/history/vault-history-rows.ts';

const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const VAULT = goldenVault('Steady USDC').address;

test('a trade without a recorded price is refused, not counted as zero', async () => {
  const wallet = uniqueAddress();
  const trade = vaultEvent(
    { number: 1, at: 1_000n, slot: 1_000n },
    {
      wallet,
      vault: VAULT,
      kind: vaultEventKinds.indexOf('deposit'),
      sharesAmount: 10_000_000n,
      tokensPerShare: { numerator: 1n, denominator: 1n },
    },
  );
  const { get } = await startVaultHistoryApi({ batch: { vaultEvents: [trade] } });
  const { status, body } = await get(`/kvaults/users/${wallet}/vaults/${VAULT}/pnl`);
  expect([status, body]).toMatchObject([
    503,
    { code: 'HISTORY_INCOMPLETE', error: expect.stringContaining('1970-01-01T00:16:40.000Z') },
  ]);
});

test('a current price that is older than its reserve accepts is marked', async () => {
  const wallet = uniqueAddress();
  const { at } = goldenCluster();
  const price = { priceSf: sfFromInt(1n), solPriceSf: sfFromInt(200n) };
  const trade = vaultEvent(
    { number: 1, at: at.unix - 1_000n, slot: at.slot },
    {
      wallet,
      vault: VAULT,
      kind: vaultEventKinds.indexOf('deposit'),
      sharesAmount: 10_000_000n,
      tokensPerShare: { numerator: 1n, denominator: 1n },
      ...price,
    },
  );
  const path = `/kvaults/users/${wallet}/vaults/${VAULT}/pnl`;
  const headerAt = async (now: bigint, query = '') => {
    const { get } = await startVaultHistoryApi({ batch: { vaultEvents: [trade] }, now });
    const { status, body, headers } = await get(`${path}${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return headers.get('x-stale-prices');
  };
  expect(await headerAt(at.unix)).toBeNull();
  const later = at.unix + 86_400n;
  const end = new Date(Number(later) * 1000).toISOString();
  for (const query of ['', `/history?start=2025-01-01&end=${end}`]) {
    const marked = await headerAt(later, query);
    expect(marked).toMatch(new RegExp(`${WRAPPED_SOL_MINT};age=86\\d{3}`));
    expect(marked).toMatch(new RegExp(`${USDC_MINT};age=86\\d{3}`));
  }
});
