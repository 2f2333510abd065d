import { decodeBase64 } from '../bytes/base64.ts';

export type ReadOptions = {
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
  /** Lookup tables are read as finalized, everything else as confirmed, unless this is set. */
  readonly commitment?: 'confirmed' | 'finalized';
};

/** An account of a node. */
export type ReadAccount = { readonly owner: string; readonly data: Uint8Array };

/** The most that a node returns in one call. */
const MAX_ADDRESSES = 100;

/** Reads accounts from a node. A missing one has no entry. Throws if the node does not answer with accounts. */
export async function readAccounts(
  rpcUrl: string,
  addresses: readonly string[],
  options: ReadOptions,
): Promise<ReadonlyMap<string, ReadAccount>> {
  const accounts = new Map<string, ReadAccount>();
  const distinct = [...new Set(addresses)];
  for (let at = 0; at < distinct.length; at += MAX_ADDRESSES) {
    const page = distinct.slice(at, at + MAX_ADDRESSES);
    const values = await callNode(rpcUrl, page, options);
    page.forEach((address, i) => {
      const account = toAccount(values[i]);
      if (account !== undefined) accounts.set(address, account);
    });
  }
  return accounts;
}

async function callNode(
  rpcUrl: string,
  addresses: readonly string[],
  { fetch = globalThis.fetch, signal, commitment = 'finalized' }: ReadOptions,
): Promise<readonly unknown[]> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getMultipleAccounts',
      params: [addresses, { encoding: 'base64', commitment }],
    }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`The node answered with status ${response.status}.`);
  const value = fieldOf(fieldOf(await response.json(), 'result'), 'value');
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw new Error('The node did not answer with accounts.');
  }
  return value;
}

function toAccount(value: unknown): ReadAccount | undefined {
  if (value === null) return undefined;
  const [owner, data] = [fieldOf(value, 'owner'), fieldOf(value, 'data')];
  const text: unknown = Array.isArray(data) ? data[0] : undefined;
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined;
  if (typeof owner !== 'string' || bytes === undefined) {
    throw new Error('The node answered with an account that cannot be read.');
  }
  return { owner, data: bytes };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
