import { type ProgramError, programErrors } from '../../base/solana/program-errors.ts';
import { anchorError } from '../spl/anchor-errors.ts';

const errors = programErrors('farms', {
  StakeZero: [6000, 'Cannot stake 0 amount'],
  UnstakeZero: [6001, 'Cannot unstake 0 amount'],
  NothingToUnstake: [6002, 'Nothing to unstake'],
  NoRewardToHarvest: [6003, 'No reward to harvest'],
  NoRewardInList: [6004, 'Reward not present in reward list'],
  RewardAlreadyInitialized: [6005, 'Reward already initialized'],
  MaxRewardNumberReached: [6006, 'Max number of reward tokens reached'],
  RewardDoesNotExist: [6007, 'Reward does not exist'],
  WrongRewardVaultAccount: [6008, 'Reward vault exists but the account is wrong'],
  RewardVaultMismatch: [6009, 'Reward vault pubkey does not match staking pool vault'],
  RewardVaultAuthorityMismatch: [
    6010,
    'Reward vault authority pubkey does not match staking pool vault',
  ],
  NothingStaked: [6011, 'Nothing staked, cannot collect any rewards'],
  IntegerOverflow: [6012, 'Integer overflow'],
  ConversionFailure: [6013, 'Conversion failure'],
  UnexpectedAccount: [6014, 'Unexpected account in instruction'],
  OperationForbidden: [6015, 'Operation forbidden'],
  MathOverflow: [6016, 'Mathematical operation with overflow'],
  MinClaimDurationNotReached: [6017, 'Minimum claim duration has not been reached'],
  RewardsVaultHasDelegate: [6018, 'Reward vault has a delegate'],
  RewardsVaultHasCloseAuthority: [6019, 'Reward vault has a close authority'],
  FarmVaultHasDelegate: [6020, 'Farm vault has a delegate'],
  FarmVaultHasCloseAuthority: [6021, 'Farm vault has a close authority'],
  RewardsTreasuryVaultHasDelegate: [6022, 'Reward vault has a delegate'],
  RewardsTreasuryVaultHasCloseAuthority: [6023, 'Reward vault has a close authority'],
  UserAtaRewardVaultMintMissmatch: [6024, 'User ata and reward vault have different mints'],
  UserAtaFarmTokenMintMissmatch: [6025, 'User ata and farm token have different mints'],
  TokenFarmTokenMintMissmatch: [6026, 'Token mint and farm token have different mints'],
  RewardAtaRewardMintMissmatch: [6027, 'Reward ata mint is different than reward mint'],
  RewardAtaOwnerNotPayer: [6028, 'Reward ata owner is different than payer'],
  InvalidGlobalConfigMode: [6029, 'Mode to update global_config is invalid'],
  RewardIndexOutOfRange: [6030, 'Reward Index is higher than number of rewards'],
  NothingToWithdraw: [6031, 'No tokens available to withdraw'],
  UserDelegatedFarmNonDelegatedMissmatch: [
    6032,
    'user, user_ref, authority and payer must match for non-delegated farm',
  ],
  AuthorityFarmDelegateMissmatch: [6033, 'Authority must match farm delegate authority'],
  FarmNotDelegated: [6034, 'Farm not delegated, can not complete operation'],
  FarmDelegated: [6035, 'Operation not allowed for delegated farm'],
  UnstakeNotElapsed: [
    6036,
    'Unstake lockup period is not elapsed. Deposit is locked until end of unstake period',
  ],
  PendingWithdrawalNotWithdrawnYet: [
    6037,
    'Pending withdrawal already exist and not withdrawn yet',
  ],
  DepositZero: [6038, 'Cannot deposit zero amount directly to farm vault'],
  InvalidConfigValue: [6039, 'Invalid config value'],
  InvalidPenaltyPercentage: [6040, 'Invalid penalty percentage'],
  EarlyWithdrawalNotAllowed: [6041, 'Early withdrawal not allowed'],
  InvalidLockingTimestamps: [6042, 'Invalid locking timestamps'],
  InvalidRpsCurvePoint: [6043, 'Invalid reward rate curve point'],
  InvalidTimestamp: [6044, 'Invalid timestamp'],
  DepositCapReached: [6045, 'Deposit cap reached'],
  MissingScopePrices: [6046, 'Missing Scope Prices'],
  ScopeOraclePriceTooOld: [6047, 'Scope Oracle Price Too Old'],
  InvalidOracleConfig: [6048, 'Invalid Oracle Config'],
  CouldNotDeserializeScope: [6049, 'Could not deserialize scope'],
  RewardAtaOwnerNotAdmin: [6050, 'Reward ata owner is different than farm admin'],
  WithdrawRewardZeroAvailable: [6051, 'Cannot withdraw reward as available amount is zero'],
  RewardScheduleCurveSet: [6052, 'Cannot withdraw reward as reward schedule is set'],
  UnsupportedTokenExtension: [
    6053,
    'Cannot initialize farm while having a mint with token22 and requested extensions',
  ],
  InvalidFarmConfigUpdateAuthority: [6054, 'Invalid authority for updating farm config'],
  InvalidTransferOwnershipOldOwner: [
    6055,
    'Invalid authority for transfer ownersip new user state initialization',
  ],
  InvalidTransferOwnershipFarmState: [
    6056,
    'Invalid farm state for transfer ownership new user state initialization',
  ],
  InvalidTransferOwnershipUserStateOwnerDelegatee: [
    6057,
    'Invalid user state for transfer ownership, owner must match delegatee',
  ],
  InvalidTransferOwnershipFarmStateLockingMode: [
    6058,
    'Invalid farm state locking mode for transfer ownership, must be 0',
  ],
  InvalidTransferOwnershipFarmStateWithdrawCooldownPeriod: [
    6059,
    'Invalid farm state withdrawal cooldown period for transfer ownership, must be 0',
  ],
  InvalidTransferOwnershipStakeAmount: [
    6060,
    'Invalid transfer ownership stake amount, must be equal to unstaked deposits',
  ],
  InvalidTransferOwnershipNewOwner: [
    6061,
    'Invalid authority for transfer ownersip new user state initialization',
  ],
  InvalidTransferOwnershipFarmStateDepositWarmupPeriod: [
    6062,
    'Invalid farm state deposit warmup period for transfer ownership, must be 0 if old user has stake',
  ],
  RewardUserOnceFeatureDisabled: [6063, 'Reward User Once feature is disabled'],
  InvalidDelegatedAuthorityUpdate: [
    6064,
    'Can not set delegate_authority to default pubkey - farm is delegated',
  ],
  UserTokenAccountOwnerMismatch: [6065, 'User token account owner does not match user state owner'],
  HarvestingNotPermissionlessPayerMismatch: [
    6066,
    'Harvesting is not permissionless, payer does not match user state owner',
  ],
  RewardsIssuedCumulativeMismatch: [
    6067,
    'Rewards issued cumulative does not match expected value',
  ],
  CannotCloseUserStateStakeNonZero: [
    6068,
    'Cannot close user state because staked amount is non-zero',
  ],
  CannotCloseUserStatePendingUnstakes: [
    6069,
    'Cannot close user state because there are pending unstake requests',
  ],
  CannotCloseUserStatePendingDeposits: [
    6070,
    'Cannot close user state because there are pending deposit requests',
  ],
  CannotCloseUserStateUnharvestedRewards: [
    6071,
    'Cannot close user state because there are unharvested rewards',
  ],
  CannotCloseUserStateSignerNotOwner: [
    6072,
    'Cannot close user state because signer is not the owner',
  ],
  CannotCloseUserStateDelegatedSignerNotDelegateAuthority: [
    6073,
    'Cannot close user state (delegated) because signer is not the delegate authority',
  ],
  CannotCloseUserStateRentReceiverNotOwner: [
    6074,
    'Cannot close user state because rent receiver is not the owner',
  ],
  CannotCloseUserStateDelegatedRentReceiverNotAdmin: [
    6075,
    'Cannot close user state (delegated) because rent receiver is not the admin',
  ],
  UserRewardTokenAccountMustBeAta: [
    6076,
    'User reward token account must be an ATA when payer is not the owner',
  ],
  RewardsIssuedCumulativeAtMax: [
    6077,
    'Cannot reward user because rewards_issued_cumulative has reached maximum value',
  ],
  UserStateIdMismatch: [6078, 'User state user id does not match expected value'],
});

/** The errors of the program and of Anchor, which are below 6000. */
export const farmsError = (code: number): ProgramError | undefined =>
  errors.byCode(code) ?? anchorError(code);

export const farmsRejection = errors.rejection;
