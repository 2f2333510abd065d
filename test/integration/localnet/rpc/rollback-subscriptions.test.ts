import { expect, test } from 'vitest';
import { golden } from '../../../support/golden/golden-accounts.ts';
import { connectWebSocket } from '../../../support/localnet/rpc-web-socket.ts';
import { bob, startTransactingLocalnet } from '../../../support/localnet/transacting-localnet.ts';

const start = Number(golden.at.slot);
const processed = { commitment: 'processed' };

test('subscribers are notified of rolled-back changes in the next slots', async () => {
  const net = await startTransactingLocalnet();
  const { call, notifications } = await connectWebSocket(net.wsUrl);
  await call('slotSubscribe', []);
  await call('logsSubscribe', ['all', processed]);
  await call('accountSubscribe', [bob.address, { ...processed, encoding: 'base64' }]);
  await net.sendAndConfirm({});
  net.advanceSlots(1);
  await net.result('tidegate_rollBack', [2]);
  net.advanceSlots(1);
  await net.sendAndConfirm({});
  const received = async <Value>(method: string, read: (result: never) => Value) =>
    (await notifications(method)).map(({ params }) => read(params?.result as never));
  const slots = await received('slotNotification', ({ slot }: { slot: number }) => slot - start);
  expect(slots).toEqual([1, 2, 1, 2]);
  type At = { context: { slot: number } };
  const logs = await received('logsNotification', ({ context }: At) => context.slot - start);
  expect(logs).toEqual([1, 2]);
  type Held = At & { value: { lamports: number } };
  const balances = await received('accountNotification', ({ context, value }: Held) => [
    context.slot - start,
    value.lamports,
  ]);
  // Funded, rolled back, funded again.
  expect(balances).toEqual([
    [1, 1_000_000],
    [1, 0],
    [2, 1_000_000],
  ]);
});

test('roots before the rollback are not announced twice', async () => {
  const net = await startTransactingLocalnet();
  const { call, notifications } = await connectWebSocket(net.wsUrl);
  await call('rootSubscribe', []);
  net.advanceSlots(2);
  await net.result('tidegate_rollBack', [2]);
  net.advanceSlots(3);
  const roots = (await notifications('rootNotification')).map(
    ({ params }) => Number(params?.result) - start,
  );
  expect(roots).toEqual([-31, -30, -29]);
});
