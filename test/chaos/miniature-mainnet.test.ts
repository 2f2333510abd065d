import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findDifferences,
  findOperationDifferences,
} from '../support/simulated-mainnet/compare-servers.ts';
import { compareEmbeddedEvents } from '../support/simulated-mainnet/embedded-events.ts';
import { MINIATURE, MiniatureRun } from '../support/simulated-mainnet/miniature-run.ts';
import { listMiniatureSubjects } from '../support/simulated-mainnet/miniature-subjects.ts';
import { readServedSlot } from '../support/simulated-mainnet/served-slot.ts';

/** Minutes of the cluster's time. `npm run test:nightly` lets an hour pass, which takes minutes. */
const minutes = Number(process.env['MAINNET_MINUTES'] ?? 4);
const seed = process.env['MAINNET_SEED'] ?? '1';

test(`a server that followed a hundredth of mainnet through faults equals a fresh one, seed ${seed}`, async () => {
  const run = await MiniatureRun.start({ seed, minutes });
  const { mainnet, week } = run;
  const server = await run.startServer();
  console.log(await run.follow(server));
  const { drops, reorgs, deadSlots } = week.report;
  expect(Math.min(drops, reorgs, deadSlots)).toBeGreaterThan(0);

  const fresh = await run.startServer();
  const servers = { followed: server.url, fresh: fresh.url };
  // no slot passes any more
  const readSlots = () => Promise.all(Object.values(servers).map(readServedSlot));
  await expect.poll(readSlots).toEqual([mainnet.slot - 2n, mainnet.slot - 2n]);
  const loans = Array.from({ length: MINIATURE.loans }, (_, number) => number);
  const paths = loans.flatMap((number) => [
    `/klend/loans/${mainnet.generated.addressOf(number)}`,
    `/portfolio/${mainnet.generated.walletOf(number)}/rewards`,
  ]);
  expect(await findDifferences(servers, paths)).toEqual([]);
  expect(await findOperationDifferences(servers, listMiniatureSubjects(mainnet))).toEqual([]);

  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  const folder = join(server.dataDir, 'history', 'localnet');
  const { differences, transactions } = await compareEmbeddedEvents(folder, run.ledger);
  expect(differences).toEqual([]);
  expect(transactions).toBeGreaterThan(0);
});
