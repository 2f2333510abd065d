import { test } from 'vitest';
import {
  expectGuardAccepts,
  expectGuardRejection,
  findInstruction,
  flowFinder,
  type GuardFlow,
  instructionAccount,
  withAccount,
  withAddressReplaced,
  withLoadedAccounts,
} from '../../../../../test/support/flows/guard-flows.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { farmState } from '../../protocol/farms/layout/farm-state.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../../protocol/klend/program.ts';
import { type VaultState, vaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM } from '../../protocol/kvault/program.ts';

const flowOf = flowFinder();
const OTHER_ADDRESS = numberedAddress(1);
const deposit = flowOf('40');
const vault = instructionAccount(deposit, 'deposit', 'vaultState');

const withVault = (flow: GuardFlow, change: (state: VaultState) => Partial<VaultState>) =>
  withAccount(flow, vault, (account) => {
    const state = vaultState.decode(account);
    return { ...account, data: vaultState.encode({ ...state, ...change(state) }) };
  });

test("shares are staked in the vault's farm, and in no other farm of the same token", () => {
  expectGuardAccepts(deposit);
  expectGuardRejection(
    withVault(deposit, () => ({ vaultFarm: ZERO_ADDRESS })),
    'farmState of initializeUser',
  );
  expectGuardRejection(
    withVault(deposit, () => ({ vaultFarm: OTHER_ADDRESS })),
    'farmState of initializeUser',
  );
});

test('a farm that is not in the state is rejected', () => {
  const farm = instructionAccount(deposit, 'stake', 'farmState');
  const gone = withAccount(deposit, farm, (account) => ({ ...account, owner: OTHER_ADDRESS }));
  expectGuardRejection(gone, 'farmState of initializeUser is');
});

test('a vault of another deployment is rejected', () => {
  expectGuardRejection(
    withAddressReplaced(deposit, KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM),
    'vaultState of deposit is',
  );
});

test('the lending program must match the reserves of the vault', () => {
  const flow = withAddressReplaced(deposit, KLEND_PROGRAM, KLEND_STAGING_PROGRAM);
  expectGuardRejection(flow, `klendProgram of deposit is ${KLEND_STAGING_PROGRAM}`);
});

test('a loan of another deployment is rejected', () => {
  const flow = withAddressReplaced(flowOf('09'), KLEND_PROGRAM, KLEND_STAGING_PROGRAM);
  expectGuardRejection(flow, 'reserve of refreshReserve is');
});

test('a reserve that the vault no longer lends to is rejected', () => {
  const withdrawal = flowOf('45');
  const reserve = instructionAccount(withdrawal, 'withdraw', 'reserve');
  const removed = withVault(withdrawal, ({ vaultAllocationStrategy }) => ({
    vaultAllocationStrategy: vaultAllocationStrategy.map((allocation) =>
      allocation.reserve === reserve ? { ...allocation, reserve: ZERO_ADDRESS } : allocation,
    ),
  }));
  expectGuardAccepts(withdrawal);
  expectGuardRejection(removed, 'reserve of withdraw is');
});

test('the share account is closed only if all shares are withdrawn', () => {
  const exit = flowOf('43');
  const close = findInstruction(exit, 'closeAccount');
  expectGuardAccepts(exit);
  const part = flowOf('42');
  expectGuardRejection(
    { ...part, instructions: [...part.instructions, close] },
    'account of closeAccount is',
  );
});

const claim = flowOf('51');
const stakes = instructionAccount(claim, 'harvestReward', 'userState');

const withStake = (
  flow: GuardFlow,
  change: { owner?: typeof OTHER_ADDRESS; farmState?: typeof OTHER_ADDRESS },
) =>
  withAccount(flow, stakes, (account) => ({
    ...account,
    data: userState.encode({ ...userState.decode(account), ...change }),
  }));

test('rewards are claimed only from a stake that belongs to the wallet', () => {
  expectGuardAccepts(claim);
  expectGuardRejection(withStake(claim, { owner: OTHER_ADDRESS }), 'userState of harvestReward is');
  expectGuardRejection(
    withStake(claim, { farmState: OTHER_ADDRESS }),
    'userState of harvestReward is',
  );
});

test('a stake that was not read is taken from the state', () => {
  expectGuardAccepts(withLoadedAccounts(claim, new Map()));
  expectGuardRejection(
    withLoadedAccounts(withStake(claim, { owner: OTHER_ADDRESS }), new Map()),
    'userState of harvestReward',
  );
});

test('a reward that the farm does not pay is rejected', () => {
  const harvest = findInstruction(claim, 'harvestReward');
  const farm = instructionAccount(claim, 'harvestReward', 'farmState');
  const other = { ...harvest, data: harvest.data.with(8, 9) };
  const instructions = claim.instructions.map((i) => (i === harvest ? other : i));
  expectGuardRejection({ ...claim, instructions }, 'rewardMint of harvestReward is');
  const none = withAccount(claim, farm, (account) => ({
    ...account,
    data: farmState.encode({ ...farmState.decode(account), numRewardTokens: 0n }),
  }));
  expectGuardRejection(none, 'rewardMint of harvestReward is');
});
