import { expect, onTestFinished, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { ChainSource } from '#server/chain/source/chain-source.ts';
import { EVENTS_CHECKPOINT, EVENTS_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { loadOwnerIndex } from '#server/indexer/events/load-owner-index.ts';
import { programDeployments } from '#server/indexer/follow/account-sets.ts';
import { PositionHistory } from '#server/indexer/positions/position-history.ts';
import { createDemoSender } from '../support/clusters/demo-sender.ts';
import { startGenesisApi } from '../support/clusters/genesis-api.ts';
import { openRpcSource } from '../support/clusters/rpc-source.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';

const SEED = 'tidegate';

/** A database that records from now on, as after the first poll of an instance. */
async function startRecording(history: History, source: ChainSource): Promise<void> {
  const { slot, unix = toUnixSeconds(0n) } = await source.getSlotTime();
  const writer = new HistoryWriter(history.db);
  const at = { slot, at: unix };
  await writer.append({ checkpoint: { name: EVENTS_CHECKPOINT, direction: 'newer', ...at } });
  await writer.append({ checkpoint: { name: EVENTS_SINCE_CHECKPOINT, direction: 'older', ...at } });
}

type Overrides = { readonly source?: ChainSource; readonly waitMs?: number };

async function openPositions(history: History, source: ChainSource, overrides: Overrides = {}) {
  const positions = new PositionHistory({
    source,
    history,
    ownerIndex: await loadOwnerIndex(source, programDeployments),
    random: () => 0,
    log: silentLog,
    waitMs: 60_000,
    ...overrides,
  });
  onTestFinished(() => positions.stop());
  return positions;
}

/** Counts the lists of transactions, and holds every transaction until `release` is called. */
function slowLedger(source: ChainSource) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calls = { lists: 0 };
  const ledger: ChainSource['ledger'] = {
    ...source.ledger,
    listSignatures: (query) => {
      calls.lists += 1;
      return source.ledger.listSignatures(query);
    },
    getTransactions: async (signatures) => {
      await released;
      return source.ledger.getTransactions(signatures);
    },
  };
  const slow: ChainSource = {
    ...source,
    ledger,
    getAccounts: (...args) => source.getAccounts(...args),
  };
  return { slow, calls, release };
}

const countVaultEvents = async ({ db }: History): Promise<number> =>
  (await db.selectFrom('vault_event').select('slot').execute()).length;

onPglite('the history of a position that is older than the instance', ({ fresh }) => {
  test('is loaded from its own transactions, once for all callers', async () => {
    const genesis = await startGenesisApi(SEED);
    const send = createDemoSender(genesis, SEED);
    const { wallet, vault: demoVault, obligation } = genesis.metadata.demo;
    const { reader } = genesis.cluster;
    const demoMint = reader.vault(demoVault)?.fields.tokenMint;
    const vault = reader.vaults().find(({ address, fields }) => {
      const hasNoShares = reader.shareBalance(fields.sharesMint, wallet) === 0n;
      const isOpen = fields.depositCap === 0n && fields.permissioningAuthority === ZERO_ADDRESS;
      return address !== demoVault && fields.tokenMint === demoMint && hasNoShares && isOpen;
    });
    if (vault === undefined) throw new Error('the wallet has shares of every vault');
    const shares = associatedTokenAddress(wallet, vault.fields.sharesMint, TOKEN_PROGRAM);
    await send('kvault/deposit', { kvault: vault.address, amount: '10' });
    await send('kvault/deposit', { kvault: vault.address, amount: '5' });
    const source = openRpcSource(genesis);
    const history = await (await fresh()).open();
    await startRecording(history, source);

    const { slow, calls, release } = slowLedger(source);
    const hasty = await openPositions(history, slow, { waitMs: 10 });
    const position = { name: 'the shares', address: shares };
    const refused = { code: 'HISTORY_INCOMPLETE', context: { retryAfterSeconds: 2 } };
    await expect(hasty.require([position])).rejects.toMatchObject(refused);
    await expect(hasty.require([position])).rejects.toMatchObject(refused);
    release();
    const isComplete = () =>
      hasty.require([position]).then(
        () => true,
        () => false,
      );
    await expect.poll(isComplete).toBe(true);
    expect(await countVaultEvents(history)).toBe(2);
    const lists = calls.lists;
    await hasty.require([position]);
    expect(calls.lists).toBe(lists);

    // the demo loan is part of the genesis: no transaction created it
    const positions = await openPositions(history, source);
    const loan = { name: 'the loan', address: obligation };
    await expect(positions.require([loan])).rejects.toMatchObject({
      code: 'HISTORY_INCOMPLETE',
      message: expect.stringContaining('no transaction created it'),
    });
    await positions.require([{ ...loan, isListed: true }]);
  });
});
