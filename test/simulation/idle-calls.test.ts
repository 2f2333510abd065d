import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createRegistry } from '#server/registry/registry.ts';
import { startCountingProxy } from '../support/clusters/counting-proxy.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { decodedSimulation, SIMULATION_END } from '../support/localnet/simulated-genesis.ts';

const SEED = 'tidegate';
const SLOT_MS = 400;
/** Three slots: time passes in steps, and what each step starts ends before the next one. */
const STEP_MS = 3 * SLOT_MS;
const MINUTE_MS = 60_000;
/** Turns of the event loop without a request after which a step has ended. */
const QUIET_TURNS = 200;

beforeEach(() => {
  // sockets and the database run in real time
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
});
afterEach(() => vi.useRealTimers());

onPglite('a server with the default timing', (engine) => {
  /** A cluster without activity, followed and recorded. Its slots and all timers advance by `pass`. */
  async function startIdle() {
    const { metadata, accounts } = decodedSimulation(SEED);
    const cluster = createLocalCluster({ accounts, origin: SIMULATION_END, seed: SEED });
    let ms = Number(SIMULATION_END.unix) * 1000;
    const now = () => ms;
    const localnet = new Localnet({ cluster, now, log: silentLog });
    const { rpcUrl, wsUrl } = await localnet.addNode(0);
    onTestFinished(() => localnet.stop());
    const proxy = await startCountingProxy(rpcUrl);
    const history = await (await engine.fresh()).open();
    const { markets, stakePools, tokens, seasons } = metadata;
    const opened = openCluster(
      {
        env: 'localnet',
        rpcUrls: [proxy.url],
        wsUrls: [new URL(wsUrl)],
        registry: createRegistry({ markets, stakePools, tokenLabels: tokens, seasons }),
        history,
      },
      {
        commitment: 'confirmed',
        maxLagSlots: 150,
        obligations: 'all',
        clock: now,
        log: silentLog,
      },
    );
    onTestFinished(() => opened.stop());
    const settle = async () => {
      for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (proxy.pending() > 0) quiet = 0;
      }
    };
    const pass = async (passedMs: number) => {
      for (let step = 0; step < passedMs; step += STEP_MS) {
        ms += STEP_MS;
        localnet.tick();
        await settle();
        await vi.advanceTimersByTimeAsync(STEP_MS);
        await settle();
      }
    };
    const isLoaded = async () => {
      await pass(STEP_MS);
      return opened.cluster.status().waitingFor;
    };
    await expect.poll(isLoaded).toBeUndefined();
    return { ...opened, proxy, pass };
  }

  test('calls its node at most 60 times a minute when nothing happens', async () => {
    const { proxy, pass, cluster } = await startIdle();
    // what the start loads in the background has ended
    await pass(2 * MINUTE_MS);
    const minutes: number[] = [];
    const total = new Map<string, number>();
    for (let minute = 0; minute < 11; minute++) {
      proxy.reset();
      await pass(MINUTE_MS);
      minutes.push([...proxy.calls.values()].reduce((sum, calls) => sum + calls, 0));
      for (const [method, calls] of proxy.calls) {
        total.set(method, (total.get(method) ?? 0) + calls);
      }
    }
    const perMinute = minutes.reduce((sum, calls) => sum + calls, 0) / minutes.length;
    const detail = JSON.stringify({ minutes, total: [...total] });
    expect(perMinute, detail).toBeLessThanOrEqual(60);
    expect(perMinute, detail).toBeGreaterThan(3);
    expect(total.get('getSignaturesForAddress'), detail).toBeLessThanOrEqual(11 * 8);
    // it is followed and recorded all the time
    expect(cluster.status()).toMatchObject({
      waitingFor: undefined,
      source: { step: 'websocket' },
    });
    expect(cluster.recording?.status()).toMatchObject({ eventFailures: 0 });
    const { slot } = cluster.reader.at();
    const eventSlot = async () => {
      await pass(STEP_MS);
      return cluster.recording?.status()?.eventSlot;
    };
    await expect.poll(eventSlot).toBeGreaterThan(slot - 10n);
  });
});
