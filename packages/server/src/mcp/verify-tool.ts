import {
  readChainData,
  readLookupTables,
  type VerifiableRequest,
  verifyTransaction,
} from '@tidegate/client/verify';
import { cleanText, formatError, untrustedSentence } from '@tidegate/core/base';
import { Type } from 'typebox';
import { CodedError } from '../errors.ts';
import type { Answer } from './answer/answer.ts';
import { type ApiReading, startReading } from './api/api-reading.ts';
import { TableContents } from './api/position-schemas.ts';
import { type RequestDetails, readRequestDetails } from './api/request-details.ts';
import { defineTool } from './tool.ts';
import { ActionInput, type ActionRequest } from './tools/actions/action-input.ts';
import {
  type BuildRequest,
  buildRequestOf,
  instructionsPath,
} from './tools/actions/build-request.ts';

/** Several times the size of a transaction. */
const MAX_TRANSACTION_LENGTH = 4_096;
const TIMEOUT_MS = 20_000;

const Input = Type.Object(
  {
    ...ActionInput.properties,
    transaction: Type.String({
      minLength: 1,
      maxLength: MAX_TRANSACTION_LENGTH,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'The transaction of prepare or of anybody else, in base64',
    }),
    maxAmount: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
        description:
          'Only to repay everything of a SOL debt: the most SOL that may be wrapped for it',
      }),
    ),
    maxLtv: Type.Optional(
      Type.String({
        maxLength: 20,
        pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
        description:
          'Only for lend-withdraw of a wallet with debts: the highest loan-to-value ratio that the loan may have afterwards, such as "0.6". Ask the user for it',
      }),
    ),
  },
  { additionalProperties: false },
);

type Verification = Awaited<ReturnType<typeof verifyTransaction>>;

export const verifyTool = defineTool({
  name: 'verify',
  title: 'Check that a transaction does exactly what was requested',
  description:
    'Decides from the bytes of a transaction whether it does exactly the given action and nothing else: accepted, rejected with reasons, or undecided. Call it after prepare, with the same input and the transaction, and before the user signs. Do not let the user sign what is not accepted.',
  input: Input,
  run: async ({ transaction, maxAmount, maxLtv, ...action }, context) => {
    const reading = startReading(context.api);
    const build = await buildRequestOf(action, reading);
    // an endpoint that the server names would repeat what the server says
    const endpoint = context.rpcUrl;
    if (endpoint === undefined) {
      const { lutsByAddress: lookupTables } = await reading.post(TableContents, {
        path: instructionsPath(build.path),
        body: build.body,
      });
      const details = await readRequestDetails(reading, action);
      const request = verifiableRequest(action, build, { maxAmount, maxLtv, details });
      const result = await verifyTransaction({ request, transaction, lookupTables });
      return answerOf(withoutWitness(result), 'server', reading);
    }
    const request = verifiableRequest(action, build, { maxAmount, maxLtv, details: {} });
    const chain = await readFrom(endpoint, request, transaction);
    const result = await verifyTransaction({ request, transaction, ...chain });
    return answerOf(result, 'endpoint', reading);
  },
});

type RequestExtras = {
  readonly maxAmount: string | undefined;
  readonly maxLtv: string | undefined;
  /** Empty if they are read from the chain. */
  readonly details: RequestDetails;
};

/** The request in the words of the verifier, with what its body does not say. */
function verifiableRequest(
  { action, wallet, amount = '' }: ActionRequest,
  { body }: BuildRequest,
  { maxAmount, maxLtv, details: { decimals, farm } }: RequestExtras,
): VerifiableRequest {
  const precision = decimals === undefined ? {} : { decimals };
  if (action === 'claim-rewards') return claimRequest(wallet, body);
  if (action === 'vault-deposit' || action === 'vault-withdraw') {
    const kvault = body['kvault'] ?? '';
    const stake = farm === undefined ? {} : { farm };
    return { operation: action, wallet, kvault, amount, ...precision, ...stake };
  }
  const { market = '', reserve = '' } = body;
  const onLoan = { wallet, market, reserve, amount, ...loanOf(body), ...precision };
  if (action === 'repay') {
    const most = maxAmount === undefined ? {} : { maxAmount };
    return { operation: 'lend-repay', ...onLoan, ...most };
  }
  if (action === 'borrow') return { operation: 'lend-borrow', ...onLoan };
  if (action === 'lend-deposit') return { operation: action, ...onLoan };
  return { operation: 'lend-withdraw', ...onLoan, ...(maxLtv !== undefined && { maxLtv }) };
}

const loanOf = ({ loan }: BuildRequest['body']) => (loan === undefined ? {} : { loan });

const claimRequest = (
  wallet: string,
  { kvault, market, reserve, ...body }: BuildRequest['body'],
): VerifiableRequest => ({
  operation: 'farm-claim',
  wallet,
  ...(kvault !== undefined && { kvault }),
  ...(market !== undefined && { market }),
  ...(reserve !== undefined && { reserve }),
  ...loanOf(body),
});

/** Values of the server that built the transaction can reject it, but not accept it. */
const withoutWitness = (result: Verification): Verification =>
  result.verdict === 'accepted'
    ? { ...result, verdict: 'undecided', reasons: [NO_WITNESS] }
    : result;

const NO_WITNESS: Verification['reasons'][number] = {
  code: 'MISSING_CHAIN_DATA',
  message: 'Only the server that built the transaction says what its accounts are. Set RPC_URL.',
};

/** What the decision needs from the chain, from an endpoint of the operator. */
async function readFrom(endpoint: URL, request: VerifiableRequest, transaction: string) {
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    const [lookupTables, chainData] = await Promise.all([
      readLookupTables(endpoint.href, transaction, options),
      readChainData(endpoint.href, request, options),
    ]);
    return { lookupTables, chainData };
  } catch (error) {
    // the URL of an endpoint can contain a key
    const reason = cleanText(formatError(error).replaceAll(endpoint.href, endpoint.host), 200);
    throw new CodedError('MALFORMED_DATA', { what: 'answer of RPC_URL', reason }, error);
  }
}

/** Where lookup tables and accounts are from. Who controls them can change what an accepted transaction does. */
type Origin = 'endpoint' | 'server';

const VERDICTS: { readonly [V in Verification['verdict']]: string } = {
  accepted: 'ACCEPTED: the transaction does exactly what was requested and nothing else.',
  rejected: 'REJECTED: the transaction is not what was requested. Do not let the user sign it.',
  undecided:
    'UNDECIDED: something that the decision needs is missing. Do not let the user sign it.',
};

const NEXT: { readonly [V in Verification['verdict']]: string } = {
  accepted: 'The wallet of the user can now simulate, sign and send it.',
  rejected: 'Prepare the transaction again, and report it if it is rejected again.',
  undecided:
    'Set RPC_URL for `tidegate mcp` to an endpoint that the user trusts, and verify again.',
};

const ORIGINS: { readonly [O in Origin]: string } = {
  endpoint: 'Lookup tables and accounts were read from the RPC endpoint, not from the server.',
  server:
    'Lookup tables and decimals are the word of the same server that built the transaction, which proves nothing. Set RPC_URL for `tidegate mcp` to an endpoint that the user trusts.',
};

function answerOf(result: Verification, origin: Origin, reading: ApiReading): Answer {
  const { reasons, instructions } = result;
  const isMissing = reasons.every(({ code }) => code === 'MISSING_CHAIN_DATA');
  const verdict = reasons.length > 0 && isMissing ? 'undecided' : result.verdict;
  return {
    lines: [
      VERDICTS[verdict],
      ...reasons.map(({ code, message }) => `${code}: ${untrustedSentence(message)}`),
      ORIGINS[origin],
      ...instructions.map(
        ({ index, explanation }) => `${index + 1}. ${untrustedSentence(explanation)}`,
      ),
    ],
    data: {
      verdict,
      chainDataFrom: origin,
      reasons: reasons.map(({ code, message, instruction }) => ({
        code,
        message: untrustedSentence(message),
        ...(instruction !== undefined && { instruction }),
      })),
      instructions: instructions.map(({ program, name, explanation }) => ({
        program,
        name,
        explanation: untrustedSentence(explanation),
      })),
    },
    next: [NEXT[verdict]],
    freshness: reading.freshness(),
    notes: reading.notes(),
  };
}
