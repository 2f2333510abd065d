import { expect, onTestFinished, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import { VaultHistoryCache } from '#server/clusters/vault-history-cache.ts';
import { SAMPLES_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { loadOwnerIndex } from '#server/indexer/events/load-owner-index.ts';
import { programDeployments } from '#server/indexer/follow/account-sets.ts';
import { VaultPriceLoader } from '#server/indexer/positions/vault-price-loader.ts';
import { createDemoSender } from '../support/clusters/demo-sender.ts';
import { startGenesisApi } from '../support/clusters/genesis-api.ts';
import { openRpcSource } from '../support/clusters/rpc-source.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { vaultHourPoint } from '../support/history/vault-history-rows.ts';

const SEED = 'tidegate';
const DAY_MS = 86_400_000;

onPglite('share prices from before the instance began to record', ({ fresh }) => {
  test('come from deposits into the vault', async () => {
    const genesis = await startGenesisApi(SEED);
    const { cluster, metadata, advanceTime } = genesis;
    const { vault } = metadata.demo;
    const send = createDemoSender(genesis, SEED);
    await send('kvault/deposit', { kvault: vault, amount: '10' });
    const depositedAt = cluster.reader.at().unix;
    advanceTime(1.5 * DAY_MS);
    const elapsed = () => {
      advanceTime();
      return Number(cluster.reader.at().unix - depositedAt);
    };
    await expect.poll(elapsed).toBeGreaterThan(DAY_MS / 1000);
    const source = openRpcSource(genesis);
    const history = await (await fresh()).open();
    const { slot, unix: at } = cluster.reader.at();
    await new HistoryWriter(history.db).append({
      points: [vaultHourPoint(vault, at, { tokens: 1_000n })],
      checkpoint: { name: SAMPLES_SINCE_CHECKPOINT, direction: 'older', slot, at },
    });

    let loaded = 0;
    const loader = new VaultPriceLoader({
      source,
      history,
      ownerIndex: await loadOwnerIndex(source, programDeployments),
      state: cluster.reader,
      log: silentLog,
      pauseMs: 0,
      onLoaded: () => {
        loaded += 1;
      },
    });
    onTestFinished(() => loader.stop());
    loader.start();
    await expect.poll(() => loaded).toBeGreaterThan(0);

    const reader = createHistoryReader(history.db);
    const cache = new VaultHistoryCache({
      history: reader,
      reader: cluster.reader,
      log: silentLog,
    });
    await cache.refresh();
    const [anchor] = cache.find(vault)?.anchors ?? [];
    const event = await history.db
      .selectFrom('vault_event')
      .select(['token_amount', 'crank_amount', 'shares_amount', 'at'])
      .executeTakeFirstOrThrow();
    expect(anchor?.at).toBe(toUnixSeconds(BigInt(event.at)));
    // tokens and shares have six decimals; the crank fee buys no shares
    const { numerator = 0n, denominator = 1n } = anchor?.tokensPerShare ?? {};
    expect(Number(numerator) / Number(denominator)).toBeCloseTo(
      (Number(event.token_amount) - Number(event.crank_amount)) / Number(event.shares_amount),
      9,
    );
  });
});
