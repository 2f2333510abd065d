import { decodeBase64 } from './bytes/base64.ts';
import { type ParsedTransaction, parseTransaction } from './bytes/parse-transaction.ts';
import { type LookupTables, resolveAccounts } from './bytes/resolve-accounts.ts';
import type { ChainData } from './chain/chain-data.ts';
import { readChainDataInput, readTablesInput } from './chain/check-chain-data.ts';
import { type ExplainedInstruction, explainCall, explainGiven } from './explain-call.ts';
import {
  type DecodedCall,
  decodeCalls,
  isComplete,
  isForeign,
} from './instructions/decode-calls.ts';
import { checkGiven, readGiven } from './instructions/given-instructions.ts';
import { checkBudget } from './operations/budget.ts';
import { checkOperation } from './operations/check-operation.ts';
import { checkRequest } from './operations/check-request.ts';
import { Findings } from './operations/findings.ts';
import { readRequest } from './operations/request-fields.ts';
import { checkRoles } from './operations/roles.ts';
import { FLASH_REPAY } from './operations/verify-leverage.ts';
import type { Reason } from './reasons.ts';
import {
  type GivenInstruction,
  isLeverageRequest,
  type VerifiableRequest,
} from './verifiable-request.ts';

export type VerificationInput = {
  readonly request: VerifiableRequest;
  /** Wire format, signed or not: bytes, or base64 text. */
  readonly transaction: string | Uint8Array;
  /** All entries of each lookup table that the transaction names. */
  readonly lookupTables?: LookupTables;
  /** Values of the chain. The more are given, the fewer accounts are left to the programs to check. */
  readonly chainData?: ChainData;
};

export type VerificationResult = {
  /** `undecided` only if the contents of a lookup table are missing. */
  readonly verdict: 'accepted' | 'rejected' | 'undecided';
  readonly reasons: readonly Reason[];
  readonly instructions: readonly ExplainedInstruction[];
};

/**
 * Decides from the bytes alone whether a transaction does what was requested, and nothing else. Asks no server. Whatever it
 * is given, it returns a verdict.
 */
export async function verifyTransaction(input: VerificationInput): Promise<VerificationResult> {
  try {
    return verify(input);
  } catch {
    // an object whose fields throw when they are read
    return rejected([{ code: 'INVALID_REQUEST', message: 'The input cannot be read.' }]);
  }
}

function verify(input: VerificationInput): VerificationResult {
  const findings = new Findings();
  const request = readRequest(input.request, findings);
  const chainData = readChainDataInput(input.chainData);
  const lookupTables = readTablesInput(input.lookupTables);
  if (chainData === undefined || lookupTables === undefined) {
    const name = chainData === undefined ? 'chainData' : 'lookupTables';
    findings.add('INVALID_CHAIN_DATA', `${name} does not have its form.`);
  }
  const parsed = readTransaction(input.transaction);
  if ('code' in parsed) return rejected([...findings.reasons, parsed]);
  if (request === undefined || chainData === undefined || lookupTables === undefined) {
    return rejected(findings.reasons);
  }
  return verifyParsed(parsed, { request, chainData, lookupTables, findings });
}

function readTransaction(transaction: unknown): ParsedTransaction | Reason {
  const bytes = typeof transaction === 'string' ? decodeBase64(transaction) : transaction;
  if (bytes instanceof Uint8Array) return parseTransaction(bytes);
  const message = 'The transaction must be base64 or a Uint8Array.';
  return { code: 'MALFORMED_TRANSACTION', message };
}

type ReadInput = Required<Omit<VerificationInput, 'transaction'>> & { readonly findings: Findings };

function verifyParsed(parsed: ParsedTransaction, input: ReadInput): VerificationResult {
  const { request, chainData, lookupTables, findings } = input;
  const checked = checkRequest(request, chainData, findings);
  checkSigner(parsed, { wallet: request.wallet, chainData }, findings);
  const resolved = resolveAccounts(parsed, lookupTables);
  findings.reasons.push(...resolved.reasons);
  if (resolved.missingTables.length > 0) {
    return findings.reasons.length > 0
      ? rejected(findings.reasons)
      : undecided(resolved.missingTables);
  }
  const decoded = decodeCalls(parsed, resolved.accounts);
  const swap = findSwap(decoded, request);
  const isGiven = ({ index }: DecodedCall) => index >= swap.start && index < swap.end;
  const instructions = decoded.map((call) =>
    isGiven(call) ? explainGiven(call.index, call.program) : explainCall(call, checked?.decimals),
  );
  const own = decoded.filter((call) => !isGiven(call));
  findings.reasons.push(...own.filter(isForeign).map(({ reason }) => reason));
  if (checked === undefined) return rejected(findings.reasons, instructions);
  const calls = own.filter(isComplete);
  const { given } = swap;
  if (isLeverageRequest(request)) {
    checkGiven(given, { start: swap.start, parsed, accounts: resolved.accounts }, findings);
  }
  checkBudget(calls, { ...request, givenInstructions: given.length }, findings);
  checkOperation(calls, { request, chainData, checked, findings });
  if (calls.length === own.length) {
    checkRoles(calls, { accounts: resolved.accounts, wallet: request.wallet, given }, findings);
  }
  return findings.reasons.length > 0
    ? rejected(findings.reasons, instructions)
    : { verdict: 'accepted', reasons: [], instructions };
}

const rejected = (
  reasons: readonly Reason[],
  instructions: readonly ExplainedInstruction[] = [],
): VerificationResult => ({ verdict: 'rejected', reasons, instructions });

const undecided = (tables: readonly string[]): VerificationResult => ({
  verdict: 'undecided',
  reasons: tables.map((table) => ({
    code: 'MISSING_LOOKUP_TABLE',
    message: `The contents of the lookup table ${table} are not given.`,
  })),
  instructions: [],
});

/**
 * Known without any lookup table, as signers are never loaded from one. Only the permissioning authority of the vault may
 * sign as well; the roles tell whether an instruction needs it.
 */
function checkSigner(
  { staticKeys, requiredSignatures }: ParsedTransaction,
  { wallet, chainData }: { readonly wallet: string; readonly chainData: ChainData },
  findings: Findings,
): void {
  if (staticKeys[0] !== wallet) {
    findings.add('WRONG_FEE_PAYER', `${staticKeys[0]} pays the fee instead of ${wallet}.`);
  }
  for (const signer of staticKeys.slice(1, requiredSignatures)) {
    if (signer === chainData.vault?.permissioningAuthority) continue;
    findings.add('EXTRA_SIGNER', `The account ${signer} signs as well.`);
  }
}

type SwapPlace = {
  readonly given: readonly GivenInstruction[];
  /** Indexes of its first instruction, and of the one after its last. */
  readonly start: number;
  readonly end: number;
};

/** The given swap is right before the repayment of the flash loan. */
function findSwap(decoded: readonly DecodedCall[], request: VerifiableRequest): SwapPlace {
  const given = isLeverageRequest(request) ? (readGiven(request.swap) ?? []) : [];
  const repay = decoded.findLast((call) => isComplete(call) && call.key === FLASH_REPAY);
  const end = given.length === 0 ? 0 : (repay?.index ?? 0);
  return { given, start: Math.max(0, end - given.length), end };
}
