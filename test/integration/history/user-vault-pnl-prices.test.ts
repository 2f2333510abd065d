import { expect, test } from 'vitest';
import { vaultEventKinds } from '#server/history/event-kinds.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { uniqueAddress, vaultEvent } from '../../support/history/history-rows.ts';
import { startVaultHistoryApi } from '../../support/history/vault-history-rows.ts';

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
