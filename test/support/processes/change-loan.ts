import { ADDRESS_BYTES } from '#core/base/encoding/address.ts';
import { decodeBase64, encodeBase64 } from '#core/base/encoding/base64.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';

type ReadLoan = {
  readonly value: { readonly owner: string; readonly lamports: number; readonly data: string[] };
};

async function call(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpcUrl, { method: 'POST', headers, body });
  return ((await response.json()) as { readonly result: unknown }).result;
}

/** Adds a cToken to the first deposit of a loan of a localnet, without a transaction. Returns the slot. */
export async function addDepositWithoutTransaction(rpcUrl: string, loan: string): Promise<number> {
  const read = (await call(rpcUrl, 'getAccountInfo', [loan, { encoding: 'base64' }])) as ReadLoan;
  const { owner, lamports, data } = read.value;
  const bytes = decodeBase64(data[0] ?? '');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const at = obligation.offsets.deposits + ADDRESS_BYTES;
  view.setBigUint64(at, view.getBigUint64(at, true) + 1n, true);
  const account = { owner, lamports, data: [encodeBase64(bytes), 'base64'] };
  const { slot } = (await call(rpcUrl, 'tidegate_setAccount', [loan, account])) as { slot: number };
  return slot;
}
