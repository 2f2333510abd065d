import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { kitWire } from '../builders/kit-compiler.ts';
import { type JsonResponse, readJson } from './test-api.ts';

/** The JSON response of `/ktx/decode`. */
export type DecodeResponse = {
  readonly version: 'legacy' | 0;
  readonly feePayer: string;
  readonly signers: readonly { address: string; label: string | null; signed: boolean }[];
  readonly recentBlockhash: string;
  readonly size: number;
  readonly sizeLimit: number;
  readonly fee: { readonly baseLamports: string; readonly priorityLamports: string };
  readonly lookupTables: readonly {
    readonly address: string;
    readonly writable: readonly string[];
    readonly readonly: readonly string[];
  }[];
  readonly instructions: readonly DecodedInstruction[];
  readonly warnings: readonly { code: string; message: string; instruction: number | null }[];
};

export type DecodedInstruction = {
  readonly program: {
    readonly address: string;
    readonly name: string | null;
    readonly label: string | null;
  };
  readonly name: string | null;
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly accounts: readonly {
    readonly name: string | null;
    readonly address: string;
    readonly role: string;
    readonly label: string | null;
  }[];
  readonly data: string;
  readonly problem: string | null;
};

export async function postDecode(url: string, body: unknown, query = ''): Promise<JsonResponse> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return readJson(await fetch(`${url}/ktx/decode${query}`, init));
}

/** Decodes a valid transaction. */
export async function requestDecodedTransaction(
  url: string,
  transaction: string,
): Promise<DecodeResponse> {
  const { status, body } = await postDecode(url, { transaction });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as DecodeResponse;
}

export const BLOCKHASH = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W';

/** Compiles an unsigned transaction with kit, in base64. */
export function compileWire(
  wallet: Address,
  instructions: readonly Instruction[],
  lookupTables: readonly {
    readonly address: Address;
    readonly addresses: readonly Address[];
  }[] = [],
): string {
  return Buffer.from(kitWire({ wallet, instructions, lookupTables }, BLOCKHASH)).toString('base64');
}

/** Program names in the published instruction tables. */
export const publishedNames: ReadonlyMap<string, string> = new Map([
  ['KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', 'klend'],
  ['KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd', 'kvault'],
  ['FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr', 'farms'],
  [TOKEN_PROGRAM, 'token'],
  [TOKEN_2022_PROGRAM, 'token'],
  [ASSOCIATED_TOKEN_PROGRAM, 'associatedToken'],
  [SYSTEM_PROGRAM, 'system'],
  [COMPUTE_BUDGET_PROGRAM, 'computeBudget'],
  ['AddressLookupTab1e1111111111111111111111111', 'addressLookupTable'],
]);
