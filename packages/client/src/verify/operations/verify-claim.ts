import { farmAccounts, tokenAccountOf } from '../bytes/derived-addresses.ts';
import { TOKEN_PROGRAMS, WRAPPED_SOL_MINT } from '../bytes/programs.ts';
import type { ChainData, FarmData, RewardData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { ClaimRequest } from '../verifiable-request.ts';
import {
  type AccountRule,
  type AccountRules,
  checkAccounts,
  exactly,
  storedOnChain,
  type WalletContext,
} from './account-rules.ts';
import type { Findings } from './findings.ts';
import { BUDGET_STEPS, checkSequence, one, type Step, several } from './sequence.ts';
import { checkWalletCalls, wrappedSolAccount } from './wallet-rules.ts';

type ClaimContext = WalletContext & {
  readonly request: ClaimRequest;
  /** The wallet's loan in the market, for either lending program; empty for a vault. */
  readonly loans: readonly string[];
  readonly chainData: ChainData;
};

const HARVEST = 'farms harvestReward';
const CREATE = 'associatedToken createIdempotent';
/** A farm has at most ten. */
const MAX_REWARDS = 10;
/** As many as fit into a transaction. */
const MAX_STEPS = 64;

type Rule = AccountRule<ClaimContext>;

const farmOf = ({ chainData }: ClaimContext, { accounts }: Call): FarmData | undefined =>
  chainData.farms?.[accounts['farmState'] ?? ''];

const rewardOf = (context: ClaimContext, call: Call): RewardData | undefined =>
  farmOf(context, call)?.rewards[Number(call.args['rewardIndex'] ?? 0n)];

const farmState = ({ accounts }: Call): string => accounts['farmState'] ?? '';
const rewardMint = ({ accounts }: Call): string => accounts['rewardMint'] ?? '';

const wallet: Rule = exactly('WRONG_WALLET', (context) => context.wallet);

const harvestRules: AccountRules<ClaimContext> = {
  payer: wallet,
  userState: (context, call) => ({ code: 'WRONG_FARM', accounts: stakesOf(context, call) }),
  farmState: (context) => {
    const farms = farmsOf(context);
    return farms === undefined ? { code: 'WRONG_FARM' } : { code: 'WRONG_FARM', accounts: farms };
  },
  globalConfig: storedOnChain({ value: (context, call) => farmOf(context, call)?.globalConfig }),
  rewardMint: storedOnChain({ value: (context, call) => rewardOf(context, call)?.mint }),
  userRewardTokenAccount: exactly('WRONG_TOKEN_ACCOUNT', (context, call) =>
    tokenAccountOf(context.wallet, rewardMint(call), call.accounts['tokenProgram'] ?? ''),
  ),
  rewardsVault: storedOnChain({
    value: (context, call) => rewardOf(context, call)?.vault,
    derived: (_, call) => [farmAccounts.rewardVault(farmState(call), rewardMint(call))],
  }),
  rewardsTreasuryVault: exactly('WRONG_ACCOUNT', (_, call) =>
    farmAccounts.treasuryVault(call.accounts['globalConfig'] ?? '', rewardMint(call)),
  ),
  farmVaultsAuthority: storedOnChain({
    value: (context, call) => farmOf(context, call)?.authority,
    derived: (_, call) => [farmAccounts.authority(farmState(call))],
  }),
  scopePrices: storedOnChain({ value: (context, call) => farmOf(context, call)?.scopePrices }),
  tokenProgram: storedOnChain({
    value: (context, call) => rewardOf(context, call)?.tokenProgram,
    derived: () => TOKEN_PROGRAMS,
  }),
};

/** The stakes whose rewards belong to the request: of the loan, or of the wallet in the farms of the vault. */
function stakesOf({ request, loans, chainData }: ClaimContext, call: Call): readonly string[] {
  const farm = farmState(call);
  if (request.kvault === undefined) return loans.map((loan) => farmAccounts.userState(farm, loan));
  const { kvault } = request;
  const delegatees = [
    request.wallet,
    farmAccounts.delegatee(kvault, farm, request.wallet),
    ...(chainData.vault?.allocations ?? []).map(({ reserve }) =>
      farmAccounts.delegatee(reserve, kvault, request.wallet),
    ),
  ];
  return delegatees.map((delegatee) => farmAccounts.userState(farm, delegatee));
}

/** The farms of the request, if the chain data has them. */
function farmsOf({ request, chainData }: ClaimContext): readonly string[] | undefined {
  const { reserves = {}, vault } = chainData;
  if (request.kvault !== undefined) {
    if (vault === undefined) return undefined;
    const supplies = vault.allocations.map(({ reserve }) => reserves[reserve]?.farmCollateral);
    return [vault.farm, ...supplies].filter((farm) => typeof farm === 'string');
  }
  if (request.reserve === undefined) return undefined;
  const data = reserves[request.reserve];
  return [data?.farmCollateral, data?.farmDebt].filter((farm) => typeof farm === 'string');
}

type ClaimInput = {
  readonly request: ClaimRequest;
  readonly loans: readonly string[];
  readonly chainData: ChainData;
  readonly findings: Findings;
};

/** Checks a claim of rewards. They are paid only into token accounts of the wallet. */
export function verifyClaim(calls: readonly Call[], input: ClaimInput): void {
  const { request, loans, chainData, findings } = input;
  const harvests = calls.filter(({ key }) => key === HARVEST);
  const context: ClaimContext = {
    ...input,
    wallet: request.wallet,
    ownAccounts: new Set([request.wallet, ...loans]),
  };
  checkSequence(calls, stepsOf(harvests), findings);
  if (request.reserve !== undefined && chainData.reserves?.[request.reserve] === undefined) {
    const message = 'Give the chain data of the reserve: only its rewards were requested.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  for (const call of harvests) {
    checkAccounts(call, harvestRules, context);
    const count = BigInt(farmOf(context, call)?.rewards.length ?? MAX_REWARDS);
    const index = call.args['rewardIndex'] ?? 0n;
    if (index >= count) {
      findings.add('INVALID_INSTRUCTION_DATA', `The farm has no reward ${index}.`, call);
    }
  }
  checkRepetition(harvests, findings);
  checkWalletCalls(calls, {
    ...context,
    openedTokens: new Map(
      harvests.map(({ accounts }) => [
        accounts['rewardMint'] ?? '',
        accounts['tokenProgram'] ?? '',
      ]),
    ),
    closedAccounts: claimsSol(harvests) ? [wrappedSolAccount(request.wallet)] : [],
    wrapped: { min: 0n, max: 0n },
  });
}

const claimsSol = (harvests: readonly Call[]): boolean =>
  harvests.some(({ accounts }) => accounts['rewardMint'] === WRAPPED_SOL_MINT);

/** A missing token account is created right before its first reward; claimed SOL is unwrapped at the end. */
function stepsOf(harvests: readonly Call[]): readonly Step[] {
  return [
    ...BUDGET_STEPS,
    several(MAX_STEPS, CREATE, HARVEST),
    ...(claimsSol(harvests) ? [one('token closeAccount')] : []),
  ];
}

function checkRepetition(harvests: readonly Call[], findings: Findings): void {
  if (harvests.length === 0) findings.add('MISSING_INSTRUCTION', `${HARVEST} is missing.`);
  const seen = new Set<string>();
  for (const call of harvests) {
    const reward = `${call.accounts['userState']} ${call.args['rewardIndex']}`;
    if (seen.has(reward)) {
      findings.add('REPEATED_INSTRUCTION', 'A reward is claimed twice.', call);
    }
    seen.add(reward);
  }
}
