import {
  type ChainData,
  readChainData,
  type VerifiableRequest,
  type VerificationResult,
  verifyTransaction,
} from '#client/verify/index.ts';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { SIGN } from '#core/base/solana/instruction.ts';
import type { Build, LookupTable } from '#core/builders/build.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { exampleAddress } from '../lending/example-lending.ts';

/** A build with what the verifier is told about it. */
export type VerifiedBuild = Pick<Build, 'wallet' | 'instructions' | 'lookupTables'> & {
  readonly name: string;
  readonly request: VerifiableRequest;
  readonly chainData: ChainData;
};

const BLOCKHASH = exampleAddress('blockhash');

/** Where a transaction is too large without a lookup table, it gets one with all of its accounts. */
const FULL_TABLE = exampleAddress('table of everything');
const MAX_BYTES = 1232;

export const tablesOf = (tables: readonly LookupTable[]): Record<string, readonly string[]> =>
  Object.fromEntries(tables.map(({ address, addresses }) => [address, addresses]));

/** Undefined if the transaction is too large with any table. */
export function withinPacket(build: VerifiedBuild): VerifiedBuild | undefined {
  if (wireOf(build).length <= MAX_BYTES) return build;
  const metas = build.instructions.flatMap(({ accounts }) => accounts);
  const addresses = new Set(metas.filter(({ role }) => role < SIGN).map(({ address }) => address));
  const loaded = { ...build, lookupTables: [{ address: FULL_TABLE, addresses: [...addresses] }] };
  return wireOf(loaded).length <= MAX_BYTES ? loaded : undefined;
}

export const wireOf = (
  build: Pick<Build, 'wallet' | 'instructions' | 'lookupTables'>,
): Uint8Array => compileTransaction(build, BLOCKHASH).wire;

export const verifyBuild = (build: VerifiedBuild): Promise<VerificationResult> =>
  verifyTransaction({
    request: build.request,
    transaction: wireOf(build),
    lookupTables: tablesOf(build.lookupTables),
    chainData: build.chainData,
  });

type AccountFinder = (address: Address) => RawAccount | undefined;

/** The chain data of a request, read from a node that has these accounts. */
export const chainDataFrom = (
  find: AccountFinder,
  request: VerifiableRequest,
): Promise<ChainData> =>
  readChainData('http://node.invalid', request, { fetch: accountFetch(find) });

type AccountsCall = { readonly params: readonly [readonly string[]] };

/** The far side of JSON-RPC: answers `getMultipleAccounts`. */
export function accountFetch(find: AccountFinder): typeof fetch {
  return async (_url, init) => {
    const { params } = JSON.parse(String(init?.body)) as AccountsCall;
    const value = params[0].map((text) => {
      const account = find(toAddress(text));
      return account && { owner: account.owner, data: [encodeBase64(account.data), 'base64'] };
    });
    const found = value.map((account) => account ?? null);
    return Response.json({ jsonrpc: '2.0', id: 1, result: { context: {}, value: found } });
  };
}

/** Whether the request is for everything, in words or by its number. */
export const isEverything = ({ request }: VerifiedBuild): boolean =>
  'amount' in request &&
  (request.amount === 'U64::MAX' ||
    ('totalShares' in request && request.totalShares === request.amount));
