import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toAddress } from '#core/base/encoding/address.ts';
import type { HookTrigger } from '#server/clusters/cluster-hooks.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import type { History } from '#server/history/open-history.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import type { HookCommand } from '#server/webhooks/hook-command.ts';
import { HookRunner } from '#server/webhooks/hook-runner.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { onEachEngine, type TestDatabase } from '../../support/history/history-engines.ts';
import {
  farmEvent,
  lendingEvent,
  uniqueAddress,
  vaultEvent,
} from '../../support/history/history-rows.ts';

const PATIENTLY = { interval: 10 };
const OWNER = 'key';
const kind = (name: (typeof lendingEventKinds)[number]) => lendingEventKinds.indexOf(name);

let lastHook = 0;

function createCommand(trigger: HookTrigger): Extract<HookCommand, { kind: 'create' }> {
  lastHook += 1;
  return {
    kind: 'create',
    owner: OWNER,
    id: `hook_${String(lastHook).padStart(24, '0')}`,
    url: 'https://receiver.test/',
    description: '',
    trigger,
    secret: 'whsec_AAAA',
    createdAt: 1,
  };
}

/** Runs hooks on a history, with a network in which no receiver exists. */
async function startRunner(database: TestDatabase) {
  const history = await database.open();
  const cluster = staticCluster();
  const runner = new HookRunner({
    history,
    cluster,
    network: { lookup: async () => [], isPrivate: () => true },
    allowsPrivate: false,
    retentionDays: 30,
    clock: () => 1_000,
    random: () => 0,
    log: silentLog,
  });
  runner.start();
  const slot = cluster.reader.at().slot;
  return {
    history,
    runner,
    writer: new HistoryWriter(history.db),
    /** After those of the cluster. */
    slotAfter: (count: number) => slot + BigInt(count),
    async process() {
      runner.onSlot();
      runner.onRecorded();
      const queued = () => history.db.selectFrom('hook_event').selectAll().execute();
      await expect.poll(async () => (await queued()).length, PATIENTLY).toBe(0);
    },
    async stop() {
      await runner.stop();
      await history.close();
    },
  };
}

async function deliveriesOf({ db }: History, hook: string) {
  const rows = await db
    .selectFrom('hook_delivery')
    .select(['type', 'body', 'state', 'slot'])
    .where('hook', '=', hook)
    .orderBy('slot')
    .orderBy('type')
    .execute();
  return rows.map(({ type, body, state, slot }) => {
    const { data } = JSON.parse(body ?? '{}') as { data: Record<string, unknown> };
    return { type, data, state, slot };
  });
}

onEachEngine('events for webhooks', ({ fresh }) => {
  test('of all products are delivered once, whenever and however often they are recorded', async () => {
    const { runner, writer, history, process, slotAfter, stop } = await startRunner(await fresh());
    const wallet = uniqueAddress();
    const command = createCommand({ type: 'walletTransactions', wallet });
    await runner.execute(command);
    await runner.execute(command);
    const events = {
      lendingEvents: [
        lendingEvent({ number: 1, at: 50n, slot: slotAfter(5) }, { wallet, kind: kind('borrow') }),
        lendingEvent({ number: 2, at: 50n, slot: slotAfter(5) }, { wallet: uniqueAddress() }),
      ],
      vaultEvents: [vaultEvent({ number: 3, at: 60n, slot: slotAfter(6) }, { wallet })],
      farmEvents: [
        farmEvent(
          { number: 4, at: 70n, slot: slotAfter(7) },
          { wallet: uniqueAddress(), otherWallet: wallet },
        ),
      ],
    };
    await writer.append(events);
    await writer.append(events);
    await process();
    // a gap is repaired later
    await writer.append({
      lendingEvents: [lendingEvent({ number: 5, at: 40n, slot: slotAfter(4) }, { wallet })],
    });
    await writer.append(events);
    await process();
    const found = await deliveriesOf(history, command.id);
    expect(found.map(({ slot, data }) => [slot, data['product']])).toEqual([
      [slotAfter(4), 'lending'],
      [slotAfter(5), 'lending'],
      [slotAfter(6), 'vault'],
      [slotAfter(7), 'farm'],
    ]);
    expect(found[1]).toMatchObject({
      type: 'wallet.transaction',
      data: { event: 'borrow', wallet },
    });
    await stop();
  });

  test('that happened before the webhook are not delivered, also if they are recorded later', async () => {
    const { runner, writer, history, process, slotAfter, stop } = await startRunner(await fresh());
    const wallet = uniqueAddress();
    const at = (number: number, slots: number) =>
      lendingEvent({ number, at: 10n, slot: slotAfter(slots) }, { wallet });
    await writer.append({ lendingEvents: [at(1, -10)] });
    const command = createCommand({ type: 'walletTransactions', wallet });
    await runner.execute(command);
    await writer.append({ lendingEvents: [at(2, -5), at(3, 1)] });
    await process();
    const found = await deliveriesOf(history, command.id);
    expect(found.map(({ slot }) => slot)).toEqual([slotAfter(1)]);
    await stop();
  });

  test('of a liquidation have the repaid debt and the seized collateral, for loan and wallet', async () => {
    const { runner, writer, history, process, slotAfter, stop } = await startRunner(await fresh());
    const [wallet, obligation, liquidator] = [uniqueAddress(), uniqueAddress(), uniqueAddress()];
    const ofLoan = createCommand({ type: 'liquidation', obligation });
    const ofWallet = createCommand({ type: 'liquidation', wallet });
    const ofOther = createCommand({ type: 'liquidation', wallet: liquidator });
    for (const command of [ofLoan, ofWallet, ofOther]) await runner.execute(command);
    const where = { number: 9, at: 10n, slot: slotAfter(2) };
    const shared = { obligation, payer: liquidator };
    await writer.append({
      lendingEvents: [
        lendingEvent(where, {
          ...{ ...shared, wallet: null, kind: kind('liquidationRepay'), liquidityAmount: 70n },
        }),
        lendingEvent(where, {
          ...{ ...shared, wallet, kind: kind('liquidationWithdraw'), eventIndex: 1 },
          liquidityAmount: 80n,
        }),
        lendingEvent(where, {
          ...{ ...shared, wallet: liquidator, kind: kind('liquidate'), eventIndex: 2 },
        }),
      ],
      // the owner becomes known in the same batch, by an update
      loansToOwn: [obligation],
    });
    await process();
    for (const { id } of [ofLoan, ofWallet]) {
      expect(await deliveriesOf(history, id)).toMatchObject([
        {
          type: 'loan.liquidated',
          data: {
            ...{ obligation, liquidator, wallet },
            repaid: { amount: { baseUnits: '70' } },
            seized: { amount: { baseUnits: '80' } },
          },
        },
      ]);
    }
    expect(await deliveriesOf(history, ofOther.id)).toEqual([]);
    await stop();
  });

  test('that were rolled back are withdrawn, and delivered again from another slot', async () => {
    const database = await fresh();
    const { runner, writer, history, process, slotAfter, stop } = await startRunner(database);
    const wallet = uniqueAddress();
    const command = createCommand({ type: 'walletTransactions', wallet });
    await runner.execute(command);
    const at = (slots: number) =>
      lendingEvent({ number: 1, at: 10n, slot: slotAfter(slots) }, { wallet });
    await writer.append({ lendingEvents: [at(1)] });
    await process();
    // the attempt fails, so that the receiver may have it
    const attempts = async () => {
      const row = await history.db
        .selectFrom('hook_delivery')
        .select('attempts')
        .executeTakeFirst();
      return row?.attempts;
    };
    await expect.poll(attempts, PATIENTLY).toBe(1);
    await writer.removeTransactions([at(1).signature]);
    await process();
    await writer.append({ lendingEvents: [at(2)] });
    await process();
    // the same slot again, after it was withdrawn
    await writer.removeTransactions([at(2).signature]);
    await writer.append({ lendingEvents: [at(1)] });
    await process();
    const found = await deliveriesOf(history, command.id);
    const summary = found.map(({ type, slot }) => `${type} ${slot - slotAfter(0)}`);
    expect(summary.filter((text) => text.endsWith(' 1'))).toEqual([
      'wallet.transaction 1',
      'wallet.transaction 1',
      'wallet.transaction.rolledBack 1',
    ]);
    // it was withdrawn before or after its first attempt
    expect(['wallet.transaction 2', 'wallet.transaction.rolledBack 2']).toEqual(
      expect.arrayContaining(summary.filter((text) => text.endsWith(' 2'))),
    );
    const { data } = found.find(({ type }) => type.endsWith('rolledBack')) ?? { data: {} };
    expect(data).toMatchObject({
      delivery: expect.stringMatching(/^msg_/),
      rolledBack: { wallet },
    });
    await stop();
  });

  test('stay queued while no process delivers', async () => {
    const database = await fresh();
    const first = await startRunner(database);
    const wallet = uniqueAddress();
    const command = createCommand({ type: 'walletTransactions', wallet: toAddress(wallet) });
    await first.runner.execute(command);
    await first.runner.stop();
    const slot = first.slotAfter(1);
    const event = lendingEvent({ number: 1, at: 10n, slot }, { wallet: wallet satisfies Address });
    await first.writer.append({ lendingEvents: [event] });
    await first.history.close();
    const second = await startRunner(database);
    await second.process();
    expect(await deliveriesOf(second.history, command.id)).toMatchObject([{ data: { wallet } }]);
    await second.stop();
  });
});
