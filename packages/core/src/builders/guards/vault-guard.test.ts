import { test } from 'vitest';
import {
  accountOf,
  exchanged,
  flowFinder,
  type GuardedFlow,
  instructionOf,
  isRefused,
  passes,
  reading,
  withAccount,
} from '../../../../../test/support/flows/guard-flows.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { farmState } from '../../protocol/farms/layout/farm-state.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../../protocol/klend/program.ts';
import { type VaultState, vaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM } from '../../protocol/kvault/program.ts';

const flowOf = flowFinder();
const STRANGER = numberedAddress(1);
const deposit = flowOf('40');
const vault = accountOf(deposit, 'deposit', 'vaultState');

const editVault = (flow: GuardedFlow, change: (state: VaultState) => Partial<VaultState>) =>
  withAccount(flow, vault, (account) => {
    const state = vaultState.decode(account);
    return { ...account, data: vaultState.encode({ ...state, ...change(state) }) };
  });

test('shares are staked in the farm of their vault, in no other of the same token', () => {
  passes(deposit);
  isRefused(
    editVault(deposit, () => ({ vaultFarm: ZERO_ADDRESS })),
    'farmState of initializeUser',
  );
  isRefused(
    editVault(deposit, () => ({ vaultFarm: STRANGER })),
    'farmState of initializeUser',
  );
});

test('a farm that state does not hold is refused', () => {
  const farm = accountOf(deposit, 'stake', 'farmState');
  const gone = withAccount(deposit, farm, (account) => ({ ...account, owner: STRANGER }));
  isRefused(gone, 'farmState of initializeUser is');
});

test('a vault of another deployment is not called with this program', () => {
  isRefused(exchanged(deposit, KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM), 'vaultState of deposit is');
});

test('the lending program is that of the reserves that the vault lends to', () => {
  const flow = exchanged(deposit, KLEND_PROGRAM, KLEND_STAGING_PROGRAM);
  isRefused(flow, `klendProgram of deposit is ${KLEND_STAGING_PROGRAM}`);
});

test('a loan of another deployment is not acted on with this program', () => {
  const flow = exchanged(flowOf('09'), KLEND_PROGRAM, KLEND_STAGING_PROGRAM);
  isRefused(flow, 'reserve of refreshReserve is');
});

test('a reserve that the vault no longer lends to is refused', () => {
  const withdrawal = flowOf('45');
  const reserve = accountOf(withdrawal, 'withdraw', 'reserve');
  const left = editVault(withdrawal, ({ vaultAllocationStrategy }) => ({
    vaultAllocationStrategy: vaultAllocationStrategy.map((allocation) =>
      allocation.reserve === reserve ? { ...allocation, reserve: ZERO_ADDRESS } : allocation,
    ),
  }));
  passes(withdrawal);
  isRefused(left, 'reserve of withdraw is');
});

test('the account of the shares is closed only when all of them are asked for', () => {
  const exit = flowOf('43');
  const close = instructionOf(exit, 'closeAccount');
  passes(exit);
  const part = flowOf('42');
  isRefused({ ...part, instructions: [...part.instructions, close] }, 'account of closeAccount is');
});

const claim = flowOf('51');
const stakes = accountOf(claim, 'harvestReward', 'userState');

const editStakes = (
  flow: GuardedFlow,
  change: { owner?: typeof STRANGER; farmState?: typeof STRANGER },
) =>
  withAccount(flow, stakes, (account) => ({
    ...account,
    data: userState.encode({ ...userState.decode(account), ...change }),
  }));

test('rewards of a loan are claimed from the stake that belongs to the wallet', () => {
  passes(claim);
  isRefused(editStakes(claim, { owner: STRANGER }), 'userState of harvestReward is');
  isRefused(editStakes(claim, { farmState: STRANGER }), 'userState of harvestReward is');
});

test('a stake that was not read is taken as state has it', () => {
  passes(reading(claim, new Map()));
  isRefused(
    reading(editStakes(claim, { owner: STRANGER }), new Map()),
    'userState of harvestReward',
  );
});

test('a reward that the farm does not pay is refused', () => {
  const harvest = instructionOf(claim, 'harvestReward');
  const farm = accountOf(claim, 'harvestReward', 'farmState');
  const other = { ...harvest, data: harvest.data.with(8, 9) };
  const instructions = claim.instructions.map((i) => (i === harvest ? other : i));
  isRefused({ ...claim, instructions }, 'rewardMint of harvestReward is');
  const none = withAccount(claim, farm, (account) => ({
    ...account,
    data: farmState.encode({ ...farmState.decode(account), numRewardTokens: 0n }),
  }));
  isRefused(none, 'rewardMint of harvestReward is');
});
