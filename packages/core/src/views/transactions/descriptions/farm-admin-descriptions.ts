import {
  decodeFarmConfigValue,
  type FarmConfigValue,
  farmConfigEntries,
} from '../../../protocol/farms/farm-config.ts';
import {
  depositToFarmVault,
  farmsGlobalConfigModes,
  initializeFarm,
  initializeFarmDelegated,
  initializeGlobalConfig,
  updateFarmAdmin,
  updateFarmConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
  updateSecondDelegatedAuthority,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
} from '../../../protocol/farms/instructions/farm-setup.ts';
import {
  initializeReward,
  rewardUserOnce,
  withdrawReward,
  withdrawTreasury,
} from '../../../protocol/farms/instructions/rewards.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

/** Instructions of farm administrators. */
export const farmAdminDescriptions: readonly DescribedCodec[] = [
  withDescription(
    initializeFarm,
    ({ accounts }, context) =>
      `Create the farm ${context.name(accounts.farmState)} for ${context.unit(accounts.tokenMint)}`,
  ),
  withDescription(
    initializeFarmDelegated,
    ({ accounts }, context) =>
      `Create the farm ${context.name(accounts.farmState)}, whose stakes ${context.name(accounts.farmDelegate)} sets`,
  ),
  withDescription(
    initializeReward,
    ({ accounts }, context) =>
      `Add ${context.unit(accounts.rewardMint)} to the rewards of ${context.name(accounts.farmState)}`,
  ),
  withDescription(
    updateFarmConfig,
    ({ accounts, args, list }, context) => {
      const entry = farmConfigEntries[args.mode];
      const value = entry && decodeFarmConfigValue(entry, Uint8Array.from(list));
      const name = entry?.name ?? `setting ${args.mode}`;
      return `Set ${name} of ${context.name(accounts.farmState)} to ${describeValue(value, context)}`;
    },
    { values: decodedSetting },
  ),
  withDescription(
    updateFarmAdmin,
    ({ accounts }, context) =>
      `Make ${context.name(accounts.pendingFarmAdmin)} the admin of ${context.name(accounts.farmState)}`,
  ),
  withDescription(
    updateSecondDelegatedAuthority,
    ({ accounts }, context) =>
      `Let ${context.name(accounts.newSecondDelegatedAuthority)} set stakes of ${context.name(accounts.farmState)}`,
  ),
  withDescription(
    rewardUserOnce,
    ({ accounts, args }, context) =>
      `Assign ${args.amount} units of reward ${args.rewardIndex} of ${context.name(accounts.farmState)} to the stake ${context.name(accounts.userState)}`,
    { notes: ['userState'], values: ({ list: [userStateId] }) => ({ userStateId }) },
  ),
  withDescription(
    withdrawReward,
    ({ accounts, args }, context) =>
      `Withdraw at most ${context.tokens(args.amount, accounts.rewardMint)} of the rewards of ${context.name(accounts.farmState)}`,
    { receives: ['adminRewardTokenAta'] },
  ),
  withDescription(
    depositToFarmVault,
    ({ accounts, args }, context) =>
      `Add ${context.tokens(args.amount, context.stakedMint(accounts.farmState))} to the stakes of ${context.name(accounts.farmState)}`,
  ),
  withDescription(
    withdrawFromFarmVault,
    ({ accounts, args }, context) =>
      `Take ${context.tokens(args.amount, context.stakedMint(accounts.farmState))} from the stakes of ${context.name(accounts.farmState)}`,
    { receives: ['withdrawerTokenAccount'] },
  ),
  withDescription(
    withdrawSlashedAmount,
    ({ accounts }, context) =>
      `Pay the withdrawal penalties of ${context.name(accounts.farmState)} to ${context.name(accounts.slashedAmountSpillAddress)}`,
  ),
  withDescription(
    initializeGlobalConfig,
    ({ accounts }, context) =>
      `Create the global settings ${context.name(accounts.globalConfig)} of the farms program`,
  ),
  withDescription(updateGlobalConfig, ({ args }) => {
    const name = farmsGlobalConfigModes[args.mode] ?? `setting ${args.mode}`;
    return `Change a global setting of the farms program: ${name}`;
  }),
  withDescription(
    updateGlobalConfigAdmin,
    ({ accounts }, context) =>
      `Make ${context.name(accounts.pendingGlobalAdmin)} the admin of the farms program`,
  ),
  withDescription(
    withdrawTreasury,
    ({ accounts, args }, context) =>
      `Withdraw ${context.tokens(args.amount, accounts.rewardMint)} of the fees of the farms program`,
    { receives: ['withdrawDestinationTokenAccount'] },
  ),
];

/** The bytes themselves if they are no value of the setting. */
function decodedSetting({ args, list }: ReturnType<typeof updateFarmConfig.decode>) {
  const entry = farmConfigEntries[args.mode];
  const { kind: _, ...decoded } = (entry &&
    decodeFarmConfigValue(entry, Uint8Array.from(list))) ?? { kind: undefined, value: list };
  return decoded;
}

function describeValue(value: FarmConfigValue | undefined, context: DescriptionContext): string {
  if (value === undefined) return 'a value of another size';
  if (value.kind === 'address') return context.name(value.value);
  const text = value.kind === 'number' ? `${value.value}` : `${value.value.length} rates over time`;
  return value.rewardIndex === undefined ? text : `${text} for reward ${value.rewardIndex}`;
}
