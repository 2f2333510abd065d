import { expect, test } from 'vitest';
import { deployedInterfaces } from '../../../../../test/support/protocol/deployed-interfaces.ts';
import {
  namedAddress,
  programAddress,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { bytesFromHex, concatBytes } from '../../base/encoding/bytes.ts';
import { readFarmsEvents } from './events.ts';
import { FARM_CONFIG_MODES } from './farm-config.ts';

const { instructions, configModes, managementAccounts, earlierManagementAccounts } =
  deployedInterfaces.farms;

type Parts = Partial<Pick<ReturnType<typeof callOf>, 'children'>> & {
  readonly args?: readonly Uint8Array[];
};

function callOf(
  name: string,
  accounts: readonly string[],
  { args = [], children = [] }: { args?: readonly Uint8Array[]; children?: readonly Call[] } = {},
) {
  const [discriminator = ''] =
    Object.entries(instructions).find(([, known]) => known === name) ?? [];
  return {
    program: programAddress('farms'),
    accounts: accounts.map(namedAddress),
    data: concatBytes([bytesFromHex(discriminator), ...args]),
    path: [0],
    children,
  };
}

type Call = ReturnType<typeof transferCall>;

/** Accounts in the order of the deployed release. */
const eventOf = (name: string, parts: Parts = {}) =>
  readFarmsEvents(callOf(name, managementAccounts[name] ?? [], parts));

test.each([...Object.entries(managementAccounts), ...Object.entries(earlierManagementAccounts)])(
  '%s is an event of its farm and signer in both releases',
  (name, accounts) => {
    const [event, ...others] = readFarmsEvents(callOf(name, accounts));
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      kind: 'manage',
      instruction: name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      farm: namedAddress('farm_state'),
      signer: namedAddress(accounts[0] ?? ''),
    });
  },
);

test('the modes of the configuration are those of the deployed program', () => {
  expect(FARM_CONFIG_MODES).toEqual(configModes);
});

test('an update of the configuration has its mode and its argument', () => {
  const args = [Uint8Array.of(17, 0), Uint8Array.of(2, 0, 0, 0, 8, 9)];
  expect(eventOf('update_farm_config', { args })).toMatchObject([
    { configMode: 17, configData: Uint8Array.of(2, 0, 0, 0, 8, 9), amount: undefined },
  ]);
});

test.each([
  ['add_rewards', 'payer_reward_token_ata', 'reward_vault'],
  ['withdraw_reward', 'reward_vault', 'admin_reward_token_ata'],
])('%s has the amount that moved, not the requested one', (name, source, destination) => {
  const parts = {
    args: [u64Bytes(999n), u64Bytes(3n)],
    children: [transferCall(source, destination, 70n)],
  };
  expect(eventOf(name, parts)).toMatchObject([{ amount: 70n, rewardIndex: 3 }]);
});

test.each([
  ['deposit_to_farm_vault', 'depositor_ata', 'farm_vault'],
  ['withdraw_from_farm_vault', 'farm_vault', 'withdrawer_token_account'],
  ['withdraw_slashed_amount', 'farm_vault', 'slashed_amount_spill_address'],
])('%s has the amount that moved', (name, source, destination) => {
  const children = [transferCall(source, destination, 70n)];
  const args = [u64Bytes(999n)];
  expect(eventOf(name, { args, children })).toMatchObject([
    { amount: 70n, rewardIndex: undefined },
  ]);
});

test('a reward of one user has its index, amount and user state', () => {
  const args = [u64Bytes(2n), u64Bytes(50n), u64Bytes(1n)];
  expect(eventOf('reward_user_once', { args })).toMatchObject([
    { rewardIndex: 2, amount: 50n, account: namedAddress('user_state') },
  ]);
});

test.each([
  ['initialize_farm_delegated', 'farm_delegate'],
  ['update_second_delegated_authority', 'new_second_delegated_authority'],
])('%s has the account that it appoints', (name, account) => {
  expect(eventOf(name)).toMatchObject([{ account: namedAddress(account) }]);
});

test('short data and missing accounts do not throw', () => {
  expect(eventOf('reward_user_once')).toMatchObject([
    { amount: undefined, rewardIndex: undefined },
  ]);
  expect(eventOf('update_farm_config')).toMatchObject([{ configMode: undefined }]);
  expect(readFarmsEvents(callOf('update_farm_config', ['signer']))).toEqual([]);
});
