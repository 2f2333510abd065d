import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import type { ClusterState } from '#core/state/cluster-state.ts';
import { type AccountKind, identifyAccount } from '#core/state/index.ts';
import { openUnprovenKinds } from '#server/clusters/unknown-value-reasons.ts';
import {
  createTestApp,
  createTestCluster,
  createTestVaultHistory,
  findTestSubject,
  listCacheableOperations,
  loadSimulatedState,
} from '../../support/http/cacheable-operations.ts';
import { decodedSimulation, SIMULATION_END } from '../../support/localnet/simulated-genesis.ts';

const simulation = decodedSimulation('tidegate');
const subject = findTestSubject(simulation);

/** The last bytes of their accounts are padding. */
const PADDED = ['market', 'reserve', 'obligation', 'vault', 'farm', 'farmUser'] as const;

function startApp() {
  const state = loadSimulatedState(simulation);
  const { reader: vaultHistory } = createTestVaultHistory(simulation);
  const served = createTestCluster(simulation, state, vaultHistory);
  const unproven = openUnprovenKinds(state);
  const handled: string[] = [];
  const onHandler = (operationId: string) => handled.push(operationId);
  const api = createTestApp({ cluster: { ...served, unproven }, onHandler });
  return { state, unproven, handled, api, app: api.app };
}

function simulatedAccount(kind: AccountKind): { address: Address; account: RawAccount } {
  const found = [...simulation.accounts].find(
    ([, account]) => identifyAccount(account).kind === kind,
  );
  if (found === undefined) throw new Error(`no simulated ${kind}`);
  return { address: found[0], account: found[1] };
}

/** Sets the last byte of an account of the kind; returns how to clear it. */
function setLastByte(state: ClusterState, kind: AccountKind) {
  const { address, account } = simulatedAccount(kind);
  const put = (byte: number): void => {
    const data = account.data.slice();
    data[data.length - 1] = byte;
    const { slot } = state.at();
    state.apply({ address, account: { owner: account.owner, data }, slot });
  };
  put(1);
  return { address, offset: account.data.length - 1, clear: () => put(0) };
}

test('an unknown byte marks the cached operations that depend on its kind, and no others', async () => {
  const { state, api, app, handled } = startApp();
  const operations = await listCacheableOperations(api, subject);
  const read = async () =>
    Promise.all(
      operations.map(async ({ operationId, path, dependsOn }) => {
        const { statusCode, headers } = await app.inject(path);
        return { operationId, dependsOn, statusCode, header: headers['x-unproven'] };
      }),
    );
  const before = await read();
  expect(before.filter(({ header }) => header !== undefined)).toEqual([]);
  for (const kind of PADDED) {
    const { address, offset, clear } = setLastByte(state, kind);
    const since = SIMULATION_END.slot;
    const text = new RegExp(
      `^${kind};code=unknownBytes;since=${since};detail="byte ${offset} .* of ${address} is not zero"$`,
    );
    const computed = await read();
    handled.length = 0;
    // and the same from the cache
    for (const responses of [computed, await read()]) {
      for (const { operationId, dependsOn, statusCode, header } of responses) {
        const name = `${operationId}, ${kind}`;
        expect(statusCode, name).toBe(200);
        if (dependsOn.includes(kind)) expect(header, name).toMatch(text);
        else expect(header, name).toBeUndefined();
      }
    }
    expect(handled).toEqual([]);
    clear();
    expect((await read()).filter(({ header }) => header !== undefined)).toEqual([]);
  }
});

test('responses that are not cached are marked too, and those without figures are not', async () => {
  const { state, app } = startApp();
  const { wallet, market, reserve } = subject;
  const build = async (path: string, payload: object) => {
    const { headers } = await app.inject({ method: 'POST', url: path, payload });
    return headers['x-unproven'];
  };
  const deposit = { wallet, market, reserve, amount: '1' };
  const vaultDeposit = { wallet, kvault: subject.vault, amount: '1' };
  const first = setLastByte(state, 'obligation');
  expect(await build('/ktx/klend/deposit', deposit)).toMatch(/^obligation;code=unknownBytes;/);
  expect(await build('/ktx/kvault/deposit', vaultDeposit)).toBeUndefined();
  first.clear();
  setLastByte(state, 'vault');
  expect(await build('/ktx/klend/deposit', deposit)).toBeUndefined();
  expect(await build('/ktx/kvault/deposit', vaultDeposit)).toMatch(/^vault;code=unknownBytes;/);
  for (const path of ['/health', '/status', '/tokens', '/openapi.json']) {
    expect((await app.inject(path)).headers, path).not.toHaveProperty('x-unproven');
  }
});

test('/status and the metrics name what is unproven', async () => {
  const { state, app, unproven } = startApp();
  const read = async () => (await app.inject('/status')).json().clusters[0].unproven;
  expect(await read()).toEqual([]);
  const { address, offset } = setLastByte(state, 'reserve');
  unproven.set('proof', [
    { kind: 'farm', code: 'proofDiffers', detail: 'stake', since: toSlot(12n) },
  ]);
  expect(await read()).toEqual([
    { kind: 'farm', code: 'proofDiffers', detail: 'stake', since: '12', meaning: null },
    {
      kind: 'reserve',
      code: 'unknownBytes',
      detail: `byte ${offset} (padding) of ${address} is not zero`,
      since: `${SIMULATION_END.slot}`,
      meaning: 'interest, fees, caps, prices and rewards',
    },
  ]);
  const { body } = await app.inject('/metrics');
  expect(body).toContain('tidegate_unknown_bytes{cluster="localnet",kind="reserve"} 1\n');
  expect(body).toContain('tidegate_unknown_bytes{cluster="localnet",kind="vault"} 0\n');
  expect(body).toContain('tidegate_unproven_kinds{cluster="localnet"} 2\n');
});

/** Of `timeUnit` in the published layout of a farm. */
const TIME_UNIT = 7_360;

test('a farm with an unknown time unit is refused, and its neighbours are served', async () => {
  const { state, app } = startApp();
  const { address, account } = simulatedAccount('farm');
  const data = account.data.slice();
  data[TIME_UNIT] = 9;
  state.apply({ address, account: { owner: account.owner, data }, slot: state.at().slot });
  expect(state.farm(address)).toBeUndefined();
  const { statusCode, headers } = await app.inject('/kvaults/vaults/metrics');
  expect(statusCode).toBe(200);
  expect(headers['x-unproven']).toMatch(
    `farm;code=unknownValue;since=${SIMULATION_END.slot};detail="byte ${TIME_UNIT} (timeUnit) of ${address} has the unknown value 0x09"`,
  );
  const { unreadableAccounts } = (await app.inject('/status')).json().clusters[0];
  expect(unreadableAccounts).toMatchObject([
    { address, kind: 'farm', reason: 'its timeUnit is 0x09, which has no known meaning' },
  ]);
});
