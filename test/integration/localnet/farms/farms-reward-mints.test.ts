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
import { customInstructionError, NOW, stakedFarm } from '../../../support/farms/farm-scenarios.ts';

const [alice] = WALLETS;
const tokenProgram = TOKEN_2022_PROGRAM;

/** Whether a reward whose mint has the extension may be harvested, and added to. */
function answers(extension: Extension) {
  const made = stakedFarm();
  const [address] = REWARD_MINTS;
  const account = made.accounts.get(address);
  if (account === undefined) throw new Error('no mint');
  const extensions = { entries: [extension], rest: new Uint8Array() };
  const data = mint.encode({ ...mint.decode(account), extensions });
  made.accounts.set(address, { ...account, data });
  const tokens = [ataOf(alice, address), REWARD_VAULTS[0] ?? FARM, TREASURY_VAULTS[0] ?? FARM];
  for (const each of [address, ...tokens]) made.fundWallet(TOKEN_2022_PROGRAM, each);
  return [
    made.run(timeAtUnix(NOW), harvestCall(alice, 0, { tokenProgram })),
    made.run(timeAtUnix(NOW), addRewardsCall(alice, { index: 0, amount: 0n }, { tokenProgram })),
  ];
}

const fee = (bps: number) => ({
  ...{ epoch: 0n, maximumFee: toLamports(0n), transferFeeBasisPoints: bps },
});

const feeConfig = (older: number, newer: number): Extension => ({
  kind: 'transferFeeConfig',
  value: {
    ...{ transferFeeConfigAuthority: ADMIN, withdrawWithheldAuthority: ADMIN },
    ...{
      withheldAmount: toLamports(0n),
      olderTransferFee: fee(older),
      newerTransferFee: fee(newer),
    },
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
  ['a fee before', feeConfig(1, 0)],
  ['a fee from now on', feeConfig(0, 1)],
  ['a program behind each transfer', hook(ADMIN)],
  ['accounts that start frozen', accountState(2)],
  ['a pause', { kind: 'pausableConfig', value: { authority: ADMIN, paused: 0 } }],
  ['tokens that stay where they are', { kind: 'nonTransferable', value: {} }],
  ['an extension of another number', other(20)],
])('a reward with %s is neither paid nor added to', (_, extension) => {
  expect(answers(extension)).toEqual([customInstructionError(6053), customInstructionError(6053)]);
});

test.each<[string, Extension]>([
  ['no fee', feeConfig(0, 0)],
  ['no program behind transfers', hook(ZERO_ADDRESS)],
  ['accounts that start in use', accountState(1)],
  ['a permanent delegate', { kind: 'permanentDelegate', value: { delegate: ADMIN } }],
  ['a name', other(19)],
  ['hidden fees', other(16)],
])('a reward with %s is not refused for it', (_, extension) => {
  for (const answer of answers(extension)) expect(answer).not.toEqual(customInstructionError(6053));
});
