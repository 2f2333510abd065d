import { addressToBytes, toAddress, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { createRegistry } from '../../registry/registry.ts';
import { HistoryRecorder } from './history-recorder.ts';

const PROGRAM = toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy');
const JITOSOL = toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const JITO_POOL = toAddress('Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb');
const BSOL = toAddress('bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1');
const at = { slot: toSlot(432_000n), unix: toUnixSeconds(1_767_225_600n) };

/** A stake pool of JitoSOL: 1,135 lamports for 1,000 tokens. */
function poolAccount(accountType = 1) {
  const data = new Uint8Array(611);
  const view = new DataView(data.buffer);
  data[0] = accountType;
  data.set(addressToBytes(JITOSOL), 162);
  view.setBigUint64(258, 1_135n, true);
  view.setBigUint64(266, 1_000n, true);
  return { owner: PROGRAM, data };
}

function createRecorder() {
  const state = new ClusterState({ log: silentLog });
  const registry = createRegistry({ stakePools: new Map([[JITOSOL, JITO_POOL]]) });
  const recorder = new HistoryRecorder({ state, registry });
  const sampleRates = () =>
    recorder.sample(at, 'day').points?.filter(({ kind }) => kind === 'stakeRate');
  return { recorder, sampleRates };
}

test('the rate of a stake pool is sampled', () => {
  const { recorder, sampleRates } = createRecorder();
  recorder.setStakePool(JITOSOL, poolAccount());
  expect(sampleRates()).toMatchObject([{ subject: JITOSOL, lamports: 1_135n, tokens: 1_000n }]);
});

test('the pool of another token has no rate', () => {
  const { recorder, sampleRates } = createRecorder();
  recorder.setStakePool(BSOL, poolAccount());
  expect(sampleRates()).toEqual([]);
});

test('a pool that no longer decodes has no rate', () => {
  const { recorder, sampleRates } = createRecorder();
  recorder.setStakePool(JITOSOL, poolAccount());
  recorder.setStakePool(JITOSOL, poolAccount(0));
  expect(sampleRates()).toEqual([]);
});
