import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Extension } from '#core/protocol/spl/layout/extensions.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { TOKEN_2022_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  ADMIN,
  ataOf,
  FARM,
  REWARD_MINTS,
  REWARD_VAULTS,
  TREASURY_VAULTS,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import { addRewardsCall, harvestCall } from '../../../support/farms/farm-instructions.ts';
import { NOW, stakedFarm } from '../../../support/farms/farm-scenarios.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';

const [alice] = WALLETS;
const tokenProgram = TOKEN_2022_PROGRAM;

/** Whether a reward whose mint has the extension can be harvested and added. */
function errorsFor(extension: Extension) {
  const farm = stakedFarm();
  const [address] = REWARD_MINTS;
  const account = farm.accounts.get(address);
  if (account === undefined) throw new Error('no mint');
  const extensions = { entries: [extension], rest: new Uint8Array() };
  const data = mint.encode({ ...mint.decode(account), extensions });
  farm.accounts.set(address, { ...account, data });
  const tokens = [ataOf(alice, address), REWARD_VAULTS[0] ?? FARM, TREASURY_VAULTS[0] ?? FARM];
  for (const each of [address, ...tokens]) farm.fundWallet(TOKEN_2022_PROGRAM, each);
  return [
    farm.run(timeAtUnix(NOW), harvestCall(alice, 0, { tokenProgram })),
    farm.run(timeAtUnix(NOW), addRewardsCall(alice, { index: 0, amount: 0n }, { tokenProgram })),
  ];
}

const fee = (bps: number) => ({
  epoch: 0n,
  maximumFee: toLamports(0n),
  transferFeeBasisPoints: bps,
});

const feeConfig = (older: number, newer: number): Extension => ({
  kind: 'transferFeeConfig',
  value: {
    transferFeeConfigAuthority: ADMIN,
    withdrawWithheldAuthority: ADMIN,
    withheldAmount: toLamports(0n),
    olderTransferFee: fee(older),
    newerTransferFee: fee(newer),
  },
});

const hook = (programId: typeof ADMIN): Extension => ({
  kind: 'transferHook',
  value: { authority: ADMIN, programId },
});

const accountState = (state: number): Extension => ({
  kind: 'defaultAccountState',
  value: { state },
});

const other = (type: number): Extension => ({ kind: 'other', type, data: new Uint8Array(3) });

test.each<[string, Extension]>([
  ['an older transfer fee', feeConfig(1, 0)],
  ['a newer transfer fee', feeConfig(0, 1)],
  ['a transfer hook program', hook(ADMIN)],
  ['accounts that are initially frozen', accountState(2)],
  ['a pausable mint', { kind: 'pausableConfig', value: { authority: ADMIN, paused: 0 } }],
  ['non-transferable tokens', { kind: 'nonTransferable', value: {} }],
  ['an unknown extension', other(20)],
])('a reward with %s can neither be paid nor added', (_, extension) => {
  expect(errorsFor(extension)).toEqual([instructionError(6053), instructionError(6053)]);
});

test.each<[string, Extension]>([
  ['no fee', feeConfig(0, 0)],
  ['an empty transfer hook', hook(ZERO_ADDRESS)],
  ['accounts that are initialized', accountState(1)],
  ['a permanent delegate', { kind: 'permanentDelegate', value: { delegate: ADMIN } }],
  ['metadata', other(19)],
  ['confidential transfer fees', other(16)],
])('a reward with %s is accepted', (_, extension) => {
  for (const error of errorsFor(extension)) expect(error).not.toEqual(instructionError(6053));
});
