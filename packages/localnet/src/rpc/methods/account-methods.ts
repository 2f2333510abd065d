import type { Address } from '@tidegate/core/base';
import { readAccountFilters } from '../account-filters.ts';
import {
  encodeAccount,
  encodeKeyedAccount,
  readAccountEncoding,
} from '../encoding/account-encoding.ts';
import { formatInTurns } from '../format-in-turns.ts';
import type { Json, JsonObject } from '../json.ts';
import {
  readAddress,
  readArguments,
  readArray,
  readBoolean,
  readConfigParam,
  readInteger,
  readOptional,
} from '../params.ts';
import { bankViewFor, readSlot, withContext } from '../request-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';

const MAX_ADDRESSES = 100;
const DEFAULT_PAGE_SIZE = 1_000;
const MAX_PAGE_SIZE = 10_000;

export function getAccountInfo(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  const address = readAddress(key);
  const encoding = readAccountEncoding(config, 'binary');
  const view = bankViewFor(node, config);
  const account = view.account(address);
  return withContext(view, account ? encodeAccount({ address, account }, encoding, view) : null);
}

export function getMultipleAccounts(node: RpcNode, params: unknown): Json {
  const [keys, options] = readArguments(params, { min: 1, max: 2 });
  const keyList = readArray(keys);
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  if (keyList.length > MAX_ADDRESSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_ADDRESSES}`);
  }
  const addresses = keyList.map(readAddress);
  const encoding = readAccountEncoding(config, 'base64');
  const view = bankViewFor(node, config);
  const encoded = addresses.map((address: Address): Json => {
    const account = view.account(address);
    return account === undefined ? null : encodeAccount({ address, account }, encoding, view);
  });
  return withContext(view, encoded);
}

export async function getProgramAccounts(node: RpcNode, params: unknown): Promise<Json> {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const program = readAddress(key);
  const encoding = readAccountEncoding(config, 'binary');
  const accepts = readAccountFilters(config);
  const hasContext = readOptional(config['withContext'], readBoolean) ?? false;
  const view = bankViewFor(node, config);
  const accounts = [...view.accountsOf(program)].filter(({ account }) => accepts(account));
  const found = await formatInTurns(accounts, (each) => encodeKeyedAccount(each, encoding, view));
  return hasContext ? withContext(view, found) : found;
}

/** An extension that some providers offer: pages in the order of the addresses, and what was written since a slot. */
export async function getProgramAccountsV2(node: RpcNode, params: unknown): Promise<Json> {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const program = readAddress(key);
  const encoding = readAccountEncoding(config, 'binary');
  const accepts = readAccountFilters(config);
  const hasContext = readOptional(config['withContext'], readBoolean) ?? false;
  const limit = readPageSize(config);
  const after = readOptional(config['paginationKey'], readAddress) ?? '';
  const since = readOptional(config['changedSinceSlot'], readSlot);
  const view = bankViewFor(node, config);
  const written = since === undefined ? undefined : view.writtenSince(since);
  const page = [...view.accountsOf(program)]
    .filter(({ address }) => address > after && (written === undefined || written.has(address)))
    .filter(({ account }) => accepts(account))
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .slice(0, limit);
  const accounts = await formatInTurns(page, (each) => encodeKeyedAccount(each, encoding, view));
  const paginationKey = page.length < limit ? null : (page.at(-1)?.address ?? null);
  const result = { accounts, paginationKey };
  return hasContext ? withContext(view, result) : result;
}

function readPageSize(config: JsonObject): number {
  const limit = readOptional(config['limit'], (value) => readInteger(value, 'usize'));
  if (limit === undefined) return DEFAULT_PAGE_SIZE;
  if (limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw invalidParams(`limit must be from 1 to ${MAX_PAGE_SIZE}`);
}

export function getBalance(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const config = readConfigParam(options, 'RpcContextConfig');
  const address = readAddress(key);
  const view = bankViewFor(node, config);
  return withContext(view, view.account(address)?.lamports ?? 0n);
}
