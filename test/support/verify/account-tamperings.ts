import type { ReasonCode } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { KLEND_STAGING_PROGRAM } from '#core/protocol/klend/program.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  accountOf,
  editCall,
  findCall,
  replaceAccount,
  replaceEverywhere,
  swapAccounts,
} from './edit-build.ts';
import {
  ATTACKER,
  ATTACKER_TOKENS,
  firstOf,
  MAIN_CALLS,
  onInstructions,
  onMainCall,
  otherAddress,
  type Tampering,
} from './tampering.ts';
import type { VerifiedBuild } from './verified-build.ts';

/** Another account in one place, in whichever main instruction has it. */
const inPlaces = (places: readonly string[], to: Address | ((from: Address) => Address)) =>
  firstOf(
    ...MAIN_CALLS.flatMap((name) =>
      places.map((place) => (build: VerifiedBuild) => replaceAccount(build, [name, place], to)),
    ),
  );

const place = (
  name: string,
  code: ReasonCode | readonly ReasonCode[],
  [places, to = otherAddress]: readonly [readonly string[], (Address | typeof otherAddress)?],
): Tampering => onInstructions(name, code, inPlaces(places, to));

const inCall =
  ([name, account]: readonly [string, string], to: Address | typeof otherAddress = otherAddress) =>
  (build: VerifiedBuild) =>
    replaceAccount(build, [name, account], to);

/** Everywhere in the transaction, as a server would that acts for another market, reserve or vault. */
const everywhere =
  (places: readonly string[]) =>
  (build: VerifiedBuild): VerifiedBuild | undefined => {
    for (const name of MAIN_CALLS) {
      for (const each of places) {
        const from = accountOf(build, name, each);
        if (from !== undefined) return replaceEverywhere(build, from, otherAddress(from));
      }
    }
    return undefined;
  };

/** Accounts before the list of reserves. */
const FIXED_ACCOUNTS: Readonly<Record<string, number>> = {
  deposit: 13,
  depositWithMinSharesOut: 13,
  withdraw: 25,
  withdrawFromAvailable: 14,
};

const RESERVES = ['reserve', 'borrowReserve', 'repayReserve', 'withdrawReserve'];

const lending =
  (change: (build: VerifiedBuild) => VerifiedBuild | undefined) =>
  (build: VerifiedBuild): VerifiedBuild | undefined =>
    'market' in build.request && 'amount' in build.request ? change(build) : undefined;

export const accountTamperings: readonly Tampering[] = [
  place('tokens are paid to someone else', 'WRONG_TOKEN_ACCOUNT', [
    ['userDestinationLiquidity', 'userTokenAta', 'userRewardTokenAccount'],
    ATTACKER_TOKENS,
  ]),
  place('tokens are taken from another account', 'WRONG_TOKEN_ACCOUNT', [
    ['userSourceLiquidity', 'userTokenAta'],
    ATTACKER_TOKENS,
  ]),
  place('shares go to someone else', 'WRONG_TOKEN_ACCOUNT', [['userSharesAta'], ATTACKER_TOKENS]),
  onInstructions(
    'unstaked shares go to someone else',
    'WRONG_TOKEN_ACCOUNT',
    inCall(['withdrawUnstakedDeposits', 'userAta'], ATTACKER_TOKENS),
  ),
  onInstructions(
    'unwrapped SOL goes to someone else',
    'WRONG_TOKEN_ACCOUNT',
    inCall(['closeAccount', 'destination'], ATTACKER),
  ),
  onInstructions(
    'another token account is closed',
    'WRONG_TOKEN_ACCOUNT',
    inCall(['closeAccount', 'account']),
  ),
  onInstructions(
    'SOL is sent elsewhere instead of wrapped',
    'HIDDEN_TRANSFER',
    inCall(['transfer', 'to'], ATTACKER),
  ),
  onInstructions(
    'another account is counted as wrapped SOL',
    'WRONG_TOKEN_ACCOUNT',
    inCall(['syncNative', 'account']),
  ),
  onInstructions(
    'a token account of another wallet is opened',
    'WRONG_WALLET',
    inCall(['createIdempotent', 'owner'], ATTACKER),
  ),
  onInstructions(
    'an account for another token is opened',
    'WRONG_TOKEN_ACCOUNT',
    inCall(['createIdempotent', 'mint']),
  ),
  place('the loan of another wallet', 'WRONG_LOAN', [['obligation']]),
  onInstructions(
    'the loan of another wallet, everywhere',
    'WRONG_LOAN',
    everywhere(['obligation']),
  ),
  onInstructions('another market', 'WRONG_MARKET', lending(everywhere(['lendingMarket']))),
  onInstructions(
    'the authority of another market',
    'WRONG_MARKET',
    inPlaces(['lendingMarketAuthority'], otherAddress),
  ),
  onInstructions('another reserve', 'WRONG_RESERVE', everywhere(RESERVES)),
  onInstructions('another vault', 'WRONG_VAULT', everywhere(['vaultState'])),
  place('the token vault of another vault', 'WRONG_VAULT', [['tokenVault']]),
  place('the authority of another vault', 'WRONG_VAULT', [['baseVaultAuthority']]),
  place('shares of another vault', 'WRONG_VAULT', [['sharesMint']]),
  place('the cTokens of another vault', 'WRONG_ACCOUNT', [['ctokenVault']]),
  onInstructions('shares are staked in a farm of someone else', 'WRONG_FARM', (build) => {
    const farm = accountOf(build, 'stake', 'farmState');
    return farm && replaceEverywhere(build, farm, otherAddress(farm));
  }),
  onInstructions(
    'shares are unstaked from another farm',
    'WRONG_FARM',
    inCall(['unstake', 'farmState']),
  ),
  onInstructions('the stake belongs to someone else', 'WRONG_FARM', inCall(['stake', 'userState'])),
  onInstructions(
    'a stake for someone else is opened',
    'WRONG_WALLET',
    inCall(['initializeUser', 'owner'], ATTACKER),
  ),
  place('the rewards of someone else', 'WRONG_FARM', [['userState']]),
  place('the stake of another loan', 'WRONG_FARM', [['obligationFarmUserState']]),
  place('the farm of another reserve', 'WRONG_FARM', [['reserveFarmState']]),
  onInstructions(
    'a farm account for someone else is opened',
    'WRONG_FARM',
    inCall(['initObligationFarmsForReserve', 'obligationFarm']),
  ),
  place('another account for the liquidity', 'WRONG_ACCOUNT', [
    ['reserveLiquiditySupply', 'reserveSourceLiquidity', 'reserveDestinationLiquidity'],
    ATTACKER_TOKENS,
  ]),
  place('another account for the collateral', 'WRONG_ACCOUNT', [
    ['reserveDestinationDepositCollateral', 'reserveSourceCollateral'],
    ATTACKER_TOKENS,
  ]),
  place('another account for the fees', 'WRONG_ACCOUNT', [
    ['borrowReserveLiquidityFeeReceiver', 'rewardsTreasuryVault'],
    ATTACKER_TOKENS,
  ]),
  place('another vault for the rewards', 'WRONG_ACCOUNT', [['rewardsVault']]),
  place('another token', 'WRONG_ACCOUNT', [
    ['reserveLiquidityMint', 'borrowReserveLiquidityMint', 'tokenMint', 'rewardMint'],
  ]),
  onInstructions(
    'another token program',
    'WRONG_ACCOUNT',
    inPlaces(['liquidityTokenProgram', 'tokenProgram'], (from) =>
      from === TOKEN_PROGRAM ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    ),
  ),
  onInstructions('another oracle', 'WRONG_ACCOUNT', inCall(['refreshReserve', 'scopePrices'])),
  onInstructions(
    'another reserve is refreshed',
    'WRONG_RESERVE',
    inCall(['refreshReserve', 'reserve']),
  ),
  onInstructions('a referrer is set for ever', 'WRONG_REFERRER', (build) =>
    editCall(build, 'initUserMetadata', (call) => ({
      ...call,
      accounts: call.accounts.map((meta, i) => (i === 3 ? { ...meta, address: ATTACKER } : meta)),
    })),
  ),
  onInstructions('a referrer gets a part of the fee', 'WRONG_REFERRER', (build) =>
    editCall(build, 'borrowObligationLiquidityV2', (call) => ({
      ...call,
      accounts: call.accounts.map((meta, i) => (i === 9 ? { address: ATTACKER, role: 1 } : meta)),
    })),
  ),
  onInstructions(
    'another wallet pays for the loan account',
    ['WRONG_WALLET', 'EXTRA_SIGNER'],
    inCall(['initObligation', 'feePayer'], ATTACKER),
  ),
  onInstructions('two accounts in each other’s place', 'WRONG_TOKEN_ACCOUNT', (build) =>
    firstOf(
      (each) =>
        swapAccounts(each, 'depositReserveLiquidityAndObligationCollateralV2', [
          'reserveLiquiditySupply',
          'userSourceLiquidity',
        ]),
      (each) =>
        swapAccounts(each, 'borrowObligationLiquidityV2', [
          'reserveSourceLiquidity',
          'userDestinationLiquidity',
        ]),
      (each) =>
        swapAccounts(each, 'repayObligationLiquidityV2', [
          'reserveDestinationLiquidity',
          'userSourceLiquidity',
        ]),
      (each) => swapAccounts(each, 'deposit', ['userTokenAta', 'userSharesAta']),
      (each) => swapAccounts(each, 'withdrawFromAvailable', ['userTokenAta', 'userSharesAta']),
      (each) => swapAccounts(each, 'withdraw', ['userTokenAta', 'userSharesAta']),
    )(build),
  ),
  onInstructions(
    'market and reserve in each other’s place',
    ['WRONG_MARKET', 'WRONG_RESERVE'],
    (build) => swapAccounts(build, 'refreshReserve', ['reserve', 'lendingMarket']),
  ),
  onInstructions('an account is left out', 'WRONG_ACCOUNT_COUNT', (build) =>
    firstOf(
      ...[
        'depositReserveLiquidityAndObligationCollateralV2',
        'harvestReward',
        'createIdempotent',
        'refreshReserve',
      ].map(
        (name) => (each: VerifiedBuild) =>
          editCall(each, name, (call) => ({ ...call, accounts: call.accounts.slice(0, -1) })),
      ),
    )(build),
  ),
  onInstructions('an account too many', ['WRONG_ACCOUNT_COUNT', 'WRONG_ACCOUNT'], (build) =>
    onMainCall((each, name) =>
      editCall(each, name, (call) => ({
        ...call,
        accounts: [...call.accounts, { address: ATTACKER, role: 1 }],
      })),
    )(build),
  ),
  onInstructions('the vault lists another reserve', 'WRONG_RESERVE', (build) =>
    firstOf(
      ...Object.keys(FIXED_ACCOUNTS).map((name) => (each: VerifiedBuild) => {
        const fixed = FIXED_ACCOUNTS[name] ?? 0;
        if ((findCall(each, name)?.accounts.length ?? 0) <= fixed) return undefined;
        return editCall(each, name, (call) => ({
          ...call,
          accounts: call.accounts.map((meta, i) =>
            i === fixed ? { ...meta, address: ATTACKER } : meta,
          ),
        }));
      }),
    )(build),
  ),
  onInstructions(
    'the other deployment of the lending program',
    ['UNKNOWN_PROGRAM', 'WRONG_LOAN', 'WRONG_ROLE'],
    (build) =>
      onMainCall((each, name) =>
        name.endsWith('V2')
          ? editCall(each, name, (call) => ({ ...call, programAddress: KLEND_STAGING_PROGRAM }))
          : undefined,
      )(build),
  ),
  onInstructions('a program of someone else', 'UNKNOWN_PROGRAM', (build) =>
    onMainCall((each, name) =>
      editCall(each, name, (call) => ({ ...call, programAddress: ATTACKER })),
    )(build),
  ),
];
