import type { ReasonCode } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction, Role } from '#core/base/solana/instruction.ts';
import {
  accountOf,
  findCall,
  insertCall,
  littleEndian,
  makeCall,
  nameOf,
  removeCall,
} from './edit-build.ts';
import {
  ATTACKER,
  ATTACKER_TOKENS,
  onInstructions,
  onMainCall,
  type Tampering,
} from './tampering.ts';
import { isEverything, type VerifiedBuild } from './verified-build.ts';

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const FARMS = 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

const hex = (value: bigint, bytes: number): string =>
  Buffer.from(littleEndian(value, bytes)).toString('hex');

/** A token account of the wallet that the transaction names. */
const tokensOf = (build: VerifiedBuild): Address => {
  const names = [
    'userSourceLiquidity',
    'userDestinationLiquidity',
    'userTokenAta',
    'userRewardTokenAccount',
  ];
  for (const call of build.instructions) {
    for (const name of names) {
      const address = accountOf(build, nameOf(call), name);
      if (address !== undefined) return address;
    }
  }
  return ATTACKER_TOKENS;
};

type MadeAccounts = (build: VerifiedBuild) => readonly (readonly [Address, Role])[];

/** An instruction more, at the end; `at` is another place. */
const extra = (
  [name, code]: readonly [string, ReasonCode | readonly ReasonCode[]],
  [program, data, accounts]: readonly [string, string, MadeAccounts],
  at = -1,
): Tampering =>
  onInstructions(name, code, (build) =>
    insertCall(build, at, makeCall(program, data, accounts(build))),
  );

const fromTokens: MadeAccounts = (build) => [
  [tokensOf(build), 1],
  [ATTACKER_TOKENS, 1],
  [build.wallet, 2],
];
const toAttacker: MadeAccounts = (build) => [
  [build.wallet, 3],
  [ATTACKER, 1],
];

/** As many as the instruction has; which ones does not matter. */
const flashLoanAccounts: MadeAccounts = ({ wallet }) =>
  Array.from({ length: 12 }, (_, i) => [wallet, i === 0 ? 2 : 0] as const);

const ownedBy: MadeAccounts = (build) => [
  [tokensOf(build), 1],
  [build.wallet, 2],
];

const extraCalls: readonly Tampering[] = [
  extra(
    ['a hidden transfer of SOL', 'HIDDEN_TRANSFER'],
    [SYSTEM, `02000000${hex(10n ** 9n, 8)}`, toAttacker],
  ),
  extra(
    ['a hidden transfer of SOL at the start', 'HIDDEN_TRANSFER'],
    [SYSTEM, `02000000${hex(1n, 8)}`, toAttacker],
    0,
  ),
  extra(
    ['an account is created with SOL of the wallet', 'HIDDEN_TRANSFER'],
    [SYSTEM, `00000000${hex(10n ** 9n, 8)}${hex(0n, 8)}${'00'.repeat(32)}`, toAttacker],
  ),
  extra(['a hidden transfer of tokens', 'HIDDEN_TRANSFER'], [TOKEN, `03${hex(1n, 8)}`, fromTokens]),
  extra(
    ['a hidden checked transfer', 'HIDDEN_TRANSFER'],
    [TOKEN_2022, `0c${hex(1n, 8)}06`, fromTokens],
  ),
  extra(['tokens are burned', 'HIDDEN_TRANSFER'], [TOKEN, `08${hex(1n, 8)}`, fromTokens]),
  extra(['an approval', 'TOKEN_APPROVAL'], [TOKEN, `04${hex(10n ** 18n, 8)}`, fromTokens]),
  extra(
    ['a checked approval', 'TOKEN_APPROVAL'],
    [TOKEN_2022, `0d${hex(10n ** 18n, 8)}06`, fromTokens],
  ),
  extra(
    ['another owner of a token account', 'AUTHORITY_CHANGE'],
    [TOKEN, `060201${'11'.repeat(32)}`, ownedBy],
  ),
  extra(
    ['the wallet is given to a program', 'AUTHORITY_CHANGE'],
    [SYSTEM, `01000000${'22'.repeat(32)}`, (build) => [[build.wallet, 3]]],
  ),
  extra(
    ['the loan is given away', 'AUTHORITY_CHANGE'],
    [KLEND, `7f2a51da93ab4c99${'11'.repeat(32)}`, (build) => [[build.wallet, 2]]],
  ),
  extra(
    ['the stake is given away', 'AUTHORITY_CHANGE'],
    [FARMS, '41b1d749352d632f', (build) => [[build.wallet, 3]]],
  ),
  extra(
    ['a durable nonce', 'DURABLE_NONCE'],
    [
      SYSTEM,
      '04000000',
      (build) => [
        [ATTACKER, 1],
        [ATTACKER_TOKENS, 0],
        [build.wallet, 2],
      ],
    ],
    0,
  ),
  extra(['an unknown program', 'UNKNOWN_PROGRAM'], [MEMO, '6869', (build) => [[build.wallet, 2]]]),
  extra(
    ['another elevation group', 'UNEXPECTED_INSTRUCTION'],
    [KLEND, '2477fb8122f0079301', (build) => [[build.wallet, 2]]],
  ),
  extra(
    ['a flash loan', 'UNEXPECTED_INSTRUCTION'],
    [KLEND, `87e734a70734d4c1${hex(1n, 8)}`, flashLoanAccounts],
  ),
  extra(['more memory', 'UNEXPECTED_INSTRUCTION'], [COMPUTE_BUDGET, '0100000400', () => []], 0),
  extra(
    ['a high priority fee', 'PRIORITY_FEE_TOO_HIGH'],
    [COMPUTE_BUDGET, `03${hex(10n ** 12n, 8)}`, () => []],
    0,
  ),
  extra(
    ['a compute budget at the end', 'WRONG_ORDER'],
    [COMPUTE_BUDGET, `02${hex(200_000n, 4)}`, () => []],
  ),
  extra(
    ['no compute units', 'WRONG_COMPUTE_BUDGET'],
    [COMPUTE_BUDGET, `02${hex(0n, 4)}`, () => []],
    0,
  ),
];

const SETUP = [
  'createIdempotent',
  'refreshReserve',
  'refreshObligation',
  'syncNative',
  'transfer',
  'initObligation',
];

const REPEATABLE = ['harvestReward', 'withdraw', 'withdrawFromAvailable'];
const FREE = ['refreshReserve', 'initObligationFarmsForReserve'];

const orderCalls: readonly Tampering[] = [
  onInstructions(
    'without its main instruction',
    ['MISSING_INSTRUCTION', 'WRONG_AMOUNT'],
    (build) => {
      const count = build.instructions.filter((call) => REPEATABLE.includes(nameOf(call))).length;
      // a claim of fewer rewards is a claim, and everything that a vault can pay may be less
      const isOpen = build.request.operation === 'farm-claim' || isEverything(build);
      return count > 1 && isOpen ? undefined : onMainCall(removeCall)(build);
    },
  ),
  ...SETUP.map((name) =>
    onInstructions(
      `without ${name}`,
      ['MISSING_INSTRUCTION', 'WRONG_RESERVE', 'WRONG_ACCOUNT'],
      (build) => {
        const isNeeded =
          name !== 'initObligation' || findCall(build, 'initUserMetadata') !== undefined;
        // a claim creates only missing accounts
        const isClaim = build.request.operation === 'farm-claim';
        return isNeeded && !isClaim ? removeCall(build, name) : undefined;
      },
    ),
  ),
  onInstructions('received SOL stays wrapped', 'MISSING_INSTRUCTION', (build) => {
    const receives = ['lend-borrow', 'lend-withdraw', 'vault-withdraw', 'farm-claim'];
    const isSol = build.instructions.some((call) => nameOf(call) === 'closeAccount');
    const isFull = 'amount' in build.request && build.request.amount === 'U64::MAX';
    const isVault = 'kvault' in build.request;
    if (!receives.includes(build.request.operation) || !isSol || (isFull && isVault))
      return undefined;
    return removeCall(build, 'closeAccount');
  }),
  onInstructions('the main instruction twice', ['REPEATED_INSTRUCTION', 'WRONG_AMOUNT'], (build) =>
    onMainCall((each, name) => {
      const call = findCall(each, name);
      return call && insertCall(each, each.instructions.indexOf(call), call);
    })(build),
  ),
  onInstructions('SOL is wrapped twice', ['REPEATED_INSTRUCTION', 'WRONG_ORDER'], (build) => {
    const call = findCall(build, 'transfer');
    return call && insertCall(build, build.instructions.indexOf(call), call);
  }),
  onInstructions('a reserve is refreshed twice', 'REPEATED_INSTRUCTION', (build) => {
    const call = findCall(build, 'refreshReserve');
    return call && insertCall(build, build.instructions.indexOf(call), call);
  }),
  onInstructions(
    'the first two instructions in each other’s place',
    ['WRONG_ORDER', 'MISSING_INSTRUCTION', 'WRONG_TOKEN_ACCOUNT'],
    (build) => {
      const [first, second, ...rest] = build.instructions;
      if (first === undefined || second === undefined || nameOf(first) === nameOf(second))
        return undefined;
      // a claim creates accounts in any order, and a farm account may be opened before or after a refresh
      const isFree = [first, second].every((call) => FREE.includes(nameOf(call)));
      if (build.request.operation === 'farm-claim' || isFree) return undefined;
      return { ...build, instructions: [second, first, ...rest] };
    },
  ),
  onInstructions('the main instruction at the start', 'WRONG_ORDER', (build) =>
    onMainCall((each, name) => {
      const call = findCall(each, name);
      if (call === undefined || name === 'harvestReward' || each.instructions[0] === call)
        return undefined;
      const others = each.instructions.filter((other: Instruction) => other !== call);
      return { ...each, instructions: [call, ...others] };
    })(build),
  ),
];

/** The request has a compute budget, and the transaction another one. */
const requestedBudget = (
  name: string,
  request: { readonly computeUnitLimit?: number; readonly computeUnitPrice?: number },
): Tampering =>
  onInstructions(name, 'WRONG_COMPUTE_BUDGET', (build) => ({
    ...insertCall(build, 0, makeCall(COMPUTE_BUDGET, `02${hex(400_000n, 4)}`, [])),
    request: { ...build.request, ...request },
  }));

export const instructionTamperings: readonly Tampering[] = [
  ...extraCalls,
  ...orderCalls,
  requestedBudget('another compute unit limit', { computeUnitLimit: 300_000 }),
  requestedBudget('without the requested price', {
    computeUnitLimit: 400_000,
    computeUnitPrice: 7,
  }),
];
